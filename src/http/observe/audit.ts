import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { TenantId } from '../../kernel/actor.ts'
import { isElsewhere } from '../request/tenancy.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Has this request audited however it ends, as those of `audited` routes are. */
    beAudited(reply: FastifyReply): void
  }
  interface FastifyContextConfig {
    /** every request is audited, including reads and those that the client aborted */
    audited?: true
    /** its path is itself a secret: records show the pattern of the route instead */
    secretInPath?: true
  }
}

/** Records a finished request that has no audit row yet. */
export interface Logbook {
  note(tenantId: TenantId, req: FastifyRequest, reply: FastifyReply): void
}

/**
 * Decides which requests are audited after they are answered: writes that were refused or wrote nothing, sign-ins in
 * the tenant they name, every 403, every 404 for a record, reads of routes that are `audited`, and the system
 * administrator's reads in another tenant; with `reads`, all of them. Successful commands wrote their row already.
 */
export const audit = fp<{ logbook: Logbook; reads: boolean }>(
  async (app, { logbook, reads }) => {
    const always = new WeakSet<FastifyRequest>()
    app.decorateRequest('beAudited', function (this: FastifyRequest, reply) {
      always.add(this)
      // A client that aborts a download just before its end has read it all the same.
      reply.raw.once('close', () => {
        if (reply.raw.headersSent && !reply.raw.writableFinished) note(this, reply)
      })
    })
    app.addHook('onRequest', (req, reply, done) => {
      // Once read, the socket keeps its peer's address even if the client leaves before the row is written.
      void req.raw.socket.remoteAddress
      if (req.route.config.audited) req.beAudited(reply)
      done()
    })
    app.addHook('onResponse', (req, reply, done) => {
      note(req, reply)
      done()
    })

    function note(req: FastifyRequest, reply: FastifyReply) {
      const tenantId = req.auditSubject?.tenantId ?? (req.actor?.kind === 'user' ? req.tenant?.id : undefined)
      if (!tenantId || req.audited || !(always.has(req) || isWorthNoting(req, reply, reads))) return
      req.audited = true
      logbook.note(tenantId, req, reply)
    }
  },
  { name: 'audit', dependencies: ['lifetime'] },
)

function isWorthNoting(req: FastifyRequest, reply: FastifyReply, reads: boolean): boolean {
  const isRead = req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS'
  return reads || !isRead || isRefusal(req, reply) || isElsewhere(req)
}

/**
 * A record of another tenant, or of a project that is not theirs, is also a 404; an address without a route is not a
 * refusal.
 */
function isRefusal({ route }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return statusCode === 403 || (statusCode === 404 && route.url !== undefined)
}
