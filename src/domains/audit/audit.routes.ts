import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { windowOf } from '../../kernel/page.ts'
import { beginningWith } from '../../kernel/zod.ts'
import { OperationQuery, OperationView } from './audit.schemas.ts'
import { listOperations } from './audit.store.ts'

const PAGE = 200

/** The trail of a tenant: who asked for what, and how it ended. */
export const auditRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/audit/operations',
    {
      config: { access: 'audit:view' },
      schema: {
        operationId: 'listAuditOperations',
        summary: 'List operations',
        description: 'Newest first. Request metadata only: no body, no query value, no token is ever kept.',
        querystring: OperationQuery,
        response: { 200: z.array(OperationView) },
      },
    },
    async (req, reply) => {
      const { page, pageSize, before, path, ...filter } = req.query
      const operations = await listOperations(
        req.scope,
        { ...filter, ...(path && { pattern: beginningWith(path) }) },
        windowOf({ page, pageSize, before }, PAGE),
      )
      return reply.list(operations)
    },
  )
}
