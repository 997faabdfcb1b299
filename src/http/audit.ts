import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { TenantId } from '../kernel/actor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** when the request came in, on the monotonic clock, ms */
    startedAt: number
  }
}

/** Notes a finished request that has no audit row yet. */
export interface Logbook {
  note(tenantId: TenantId, req: FastifyRequest, reply: FastifyReply): void
}

/**
 * Decides which requests are noted once they are answered: writes that were refused or wrote nothing, sign-ins in the
 * tenant they name, every 403; with `reads`, all of them. Successful commands wrote their row in their transaction.
 */
export const audit = fp<{ logbook: Logbook; reads: boolean }>(
  async (app, { logbook, reads }) => {
    app.decorateRequest('startedAt', 0)
    app.addHook('onRequest', (req, _reply, done) => {
      req.startedAt = performance.now()
      done()
    })
    app.addHook('onResponse', (req, reply, done) => {
      const tenantId = req.operator?.tenantId ?? (req.actor.kind === 'user' ? req.tenant?.id : undefined)
      if (tenantId && !req.audited && isWorthNoting(req, reply, reads)) logbook.note(tenantId, req, reply)
      done()
    })
  },
  { name: 'audit' },
)

function isWorthNoting(req: FastifyRequest, reply: FastifyReply, reads: boolean): boolean {
  const isRead = req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS'
  return reads || !isRead || reply.statusCode === 403
}
