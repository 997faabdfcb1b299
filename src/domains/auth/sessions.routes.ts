import { arrayQuery, type DomainRoutes, IdParams, openScope, pageRequestOf, z } from '#atrium'
import { endOtherSessions, endOwnSession } from './auth.actions.ts'
import { SessionView } from './auth.schemas.ts'
import { listSessions } from './auth.store.ts'

/** People's own sessions, in their own tenant, whichever tenant they name. */
export const sessionRoutes: DomainRoutes = async (app) => {
  app.get(
    '/auth/sessions',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listSessions',
        summary: 'List my sessions',
        description: 'Newest first. `lastSeenAt` is exact to some minutes.',
        querystring: arrayQuery({}),
        response: { 200: z.array(SessionView) },
      },
    },
    async ({ user, query }, reply) => {
      const own = { userId: user.id, current: user.sessionId }
      return reply.list(await listSessions(openScope(app.database, user.tenantId), own, pageRequestOf(query)))
    },
  )

  app.delete(
    '/auth/sessions/:id',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'endSession',
        summary: 'End one of my sessions',
        description: 'Its tokens are refused within a second. It can be the current one.',
        params: IdParams,
        response: { 200: z.null() },
      },
    },
    (req) => req.transactAs(req.user, req.user.tenantId, (tx) => endOwnSession(tx, req.params.id)),
  )

  app.delete(
    '/auth/sessions',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'endOtherSessions',
        summary: 'End all my other sessions',
        response: { 200: z.null() },
      },
    },
    (req) => req.transactAs(req.user, req.user.tenantId, endOtherSessions),
  )
}
