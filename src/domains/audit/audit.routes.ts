import { beginningWith, type DomainRoutes, pageRequestOf, z } from '#atrium'
import { accepts, LINES } from './audit.rules.ts'
import { OperationQuery, OperationView } from './audit.schemas.ts'
import { listOperations, searchOperations } from './audit.store.ts'
import { streamOperations } from './stream.ts'

const PAGE = 200

/** The audit trail of a tenant: who requested what, and the outcome. */
export const auditRoutes: DomainRoutes = async (app) => {
  app.get(
    '/audit/operations',
    {
      config: { access: 'audit:view', list: 'operations' },
      schema: {
        operationId: 'listAuditOperations',
        summary: 'List operations',
        description: [
          'Newest first. Only metadata of requests is stored: no body, no query value and no token. A search by method, path, request or a status below 400 examines 100 000 operations at a time and counts no further; `Link` continues after them.',
          `With \`Accept: ${LINES}\` the answer is the whole trail after the id \`after\`, oldest first, one operation on each line: a stream of any length, which ends early if the caller loses the permission. \`page\` and \`pageSize\` have no meaning there. It is complete: no operation with a lower id appears later.`,
          '`chain` is the SHA-256 of the `chain` of the operation before and the canonical JSON (RFC 8785) of this one without `chain`. It is added within seconds, and null until then; the stream has only operations that have it.',
        ].join('\n\n'),
        querystring: OperationQuery,
        response: { 200: z.array(OperationView) },
        lines: LINES,
      },
    },
    async (req, reply) => {
      const { page, pageSize, before, after, method, path, requestId, status, ...when } = req.query
      if (accepts(req.headers.accept, LINES)) {
        const filters = { ...when, method, path, requestId, status, before }
        return streamOperations(app.database, req, reply, { ...filters, after: after ?? 0 }) as never
      }
      const request = pageRequestOf({ page, pageSize, before, after }, PAGE)
      const isRefusal = status !== undefined && status >= 400
      const trail = { ...when, ...(isRefusal && { refusal: status }) }
      const search = {
        method: method ?? null,
        requestId: requestId ?? null,
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
