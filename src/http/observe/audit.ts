import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { TenantId } from '../../kernel/actor.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** every request is noted, reads and those that the client broke off included */
    audited?: true
  }
}

/** Notes a finished request that has no audit row yet. */
export interface Logbook {
  note(tenantId: TenantId, req: FastifyRequest, reply: FastifyReply): void
}

/**
 * Decides which requests are noted once they are answered: writes that were refused or wrote nothing, sign-ins in the
 * tenant they name, every 403, every record that a person was told is not there, reads of routes that are `audited`, and
 * what the system administrator reads in a tenant that is not theirs; with `reads`, all of them. Successful commands
 * wrote their row in their transaction.
 */
export const audit = fp<{ logbook: Logbook; reads: boolean }>(
  async (app, { logbook, reads }) => {
    app.addHook('onRequest', (req, reply, done) => {
      // Once asked, the socket knows its peer's address even when the client has left before the row is written.
      void req.raw.socket.remoteAddress
      // Whoever breaks a download off just before its end has read it all the same.
      if (req.route.config.audited)
        reply.raw.once('close', () => {
          if (reply.raw.headersSent && !reply.raw.writableFinished) note(req, reply)
        })
      done()
    })
    app.addHook('onResponse', (req, reply, done) => {
      note(req, reply)
      done()
    })

    function note(req: FastifyRequest, reply: FastifyReply) {
      const tenantId = req.auditSubject?.tenantId ?? (req.actor?.kind === 'user' ? req.tenant?.id : undefined)
      if (!tenantId || req.audited || !isWorthNoting(req, reply, reads)) return
      req.audited = true
      logbook.note(tenantId, req, reply)
    }
  },
  { name: 'audit', dependencies: ['lifetime'] },
)

function isWorthNoting(req: FastifyRequest, reply: FastifyReply, reads: boolean): boolean {
  const isRead = req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS'
  return reads || !isRead || isRefusal(req, reply) || req.route.config.audited === true || isElsewhere(req)
}

/** A record of another tenant, or of a project that is not theirs, is a 404 as well; an address without a route is not. */
function isRefusal({ route }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return statusCode === 403 || (statusCode === 404 && route.url !== undefined)
}

function isElsewhere({ actor, tenant }: FastifyRequest): boolean {
  return actor.kind === 'user' && tenant !== undefined && tenant.id !== actor.tenantId
}
