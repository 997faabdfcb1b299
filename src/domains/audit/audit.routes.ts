import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { beginningWith, pageRequestOf, z } from '#atrium'
import { OperationQuery, OperationView } from './audit.schemas.ts'
import { listOperations, searchOperations } from './audit.store.ts'

const PAGE = 200

/** The audit trail of a tenant: who requested what, and the outcome. */
export const auditRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/audit/operations',
    {
      config: { access: 'audit:view' },
      schema: {
        operationId: 'listAuditOperations',
        summary: 'List operations',
        description:
          'Newest first. Only metadata of requests is stored: no body, no query value and no token. A search by method, path or a status below 400 examines 100 000 operations at a time and counts no further; `Link` continues after them.',
        querystring: OperationQuery,
        response: { 200: z.array(OperationView) },
      },
    },
    async (req, reply) => {
      const { page, pageSize, before, after, method, path, status, ...when } = req.query
      const request = pageRequestOf({ page, pageSize, before, after }, PAGE)
      const isRefusal = status !== undefined && status >= 400
      const trail = { ...when, ...(isRefusal && { refusal: status }) }
      const search = {
        method: method ?? null,
        success: isRefusal ? null : (status ?? null),
        pattern: path === undefined ? null : beginningWith(path),
      }
      const isSearch = Object.values(search).some((wanted) => wanted !== null)
      const operations = isSearch
        ? await searchOperations(req.scope, { ...trail, ...search }, request)
        : await listOperations(req.scope, trail, request)
      return reply.list(operations)
    },
  )
}
