import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { SharedQuotas } from '../../data/coordination/coordination.ts'
import { faults } from '../../kernel/fault.ts'
import { type Attempt, type Limit, type Quota, type Slot, slidingWindows } from '../../util/sliding-window.ts'
import { senderOf } from '../request/tenancy.ts'

declare module 'fastify' {
  interface FastifyInstance {
    limits: Limits
  }
  interface FastifyContextConfig {
    /** Counts every request that passes the gate, by sender. */
    limit?: Limit
  }
  interface FastifyReply {
    quotas: Map<Limit, Quota> | undefined
  }
}

/** Each of these refuses with 429 and Retry-After while the quota is used up, and reports it in the headers. */
export interface Limits {
  /** Counts nothing. */
  assertOpen(reply: FastifyReply, tries: readonly Attempt[]): Promise<void>
  /** Looks and counts in one step, in order: what the first refuses does not count for the next. */
  take(reply: FastifyReply, tries: readonly Attempt[]): Promise<void>
  /** Neither counts nor refuses, and adds nothing to the answer. */
  isOpen(once: Attempt): Promise<boolean>
  /** How many count now. */
  used(once: Attempt): Promise<number>
  /** Counts if there is room, and adds nothing to the answer. @returns whether there was room */
  tally(once: Attempt): Promise<boolean>
  /**
   * Does the work and counts it, unless it fails. Work in progress holds its place, so that a burst does not slip
   * through.
   */
  attempt<T>(reply: FastifyReply, once: Attempt, work: () => Promise<T>): Promise<T>
}

interface Options {
  /** undefined if replicas share none */
  shared: SharedQuotas | undefined
  /** requests a minute for each person or address; 0 turns it off */
  requests: number
}

const MOST_KEYS = 50_000

/**
 * Limits on what can be tried repeatedly, in sliding windows: shared by the replicas if they have and reach what counts for
 * all, and always counted in this process too, which continues alone without it.
 * @see draft-ietf-httpapi-ratelimit-headers-10
 */
export const limits = fp<Options>(
  async (app, { shared, requests }) => {
    const windows = slidingWindows(MOST_KEYS)

    async function placeFor({ limit, key }: Attempt): Promise<Slot> {
      const here = windows.take(limit, key)
      if (!here.isOpen) return here
      const everywhere = await shared?.take(limit, key)
      if (!everywhere) return here
      if (!everywhere.isOpen) here.release()
      return {
        ...everywhere,
        release() {
          here.release()
          everywhere.release()
        },
      }
    }

    async function take(reply: FastifyReply, once: Attempt): Promise<Slot | undefined> {
      if (once.limit.most === 0) return undefined
      const place = await placeFor(once)
      report(reply, once.limit, place)
      return place
    }

    async function look({ limit, key }: Attempt): Promise<Quota> {
      const here = windows.look(limit, key)
      const everywhere = here.isOpen ? await shared?.look(limit, key) : undefined
      return everywhere ?? here
    }

    app.decorateReply('quotas', undefined)
    app.decorate('limits', {
      async assertOpen(reply, tries) {
        for (const once of tries) if (once.limit.most > 0) report(reply, once.limit, await look(once))
      },
      async take(reply, tries) {
        for (const once of tries) await take(reply, once)
      },
      isOpen: async (once) => once.limit.most === 0 || (await look(once)).isOpen,
      used: async (once) => once.limit.most - (await look(once)).left,
      tally: async (once) => once.limit.most === 0 || (await placeFor(once)).isOpen,
      async attempt(reply, once, work) {
        const place = await take(reply, once)
        try {
          return await work()
        } catch (error) {
          place?.release()
          throw error
        }
      },
    })

    if (requests > 0) {
      const limit = { name: 'general', most: requests, windowMs: 60_000 }
      app.addHook('onRequest', async (req, reply) => {
        // Requests without a route count too; those of routes without an access, such as /readyz, do not.
        const { url, config } = req.route
        if (url !== undefined && config.access === undefined) return
        try {
          await take(reply, { limit, key: senderOf(req) })
        } catch (refusal) {
          nameAuditSubject(req)
          throw refusal
        }
      })
    }

    // After the gate: only requests that pass are counted. Before the body: an upload is refused before it is sent.
    app.addHook('onRoute', (route) => {
      const limit = route.config?.limit
      if (!limit?.most) return
      const count = async (req: FastifyRequest, reply: FastifyReply) =>
        void (await take(reply, { limit, key: senderOf(req) }))
      route.preParsing = [count, route.preParsing ?? []].flat() as never
    })
  },
  { name: 'limits', dependencies: ['identity'] },
)

/** A refusal before the tenant is known is audited where the person lives. */
function nameAuditSubject(req: FastifyRequest): void {
  if (req.actor.kind !== 'user') return
  const { tenantId, id, username } = req.actor
  req.auditSubject = { tenantId, userId: id, username }
}

/** @throws RATE_LIMITED */
function report(reply: FastifyReply, limit: Limit, quota: Quota): void {
  reply.quotas ??= new Map()
  reply.quotas.set(limit, quota)
  const all = [...reply.quotas]
  reply.header(
    'ratelimit-policy',
    all.map(([{ name, most, windowMs }]) => `"${name}";q=${most};w=${windowMs / 1000}`).join(', '),
  )
  reply.header(
    'ratelimit',
    all.map(([{ name }, { left, movesIn }]) => `"${name}";r=${left};t=${seconds(movesIn)}`).join(', '),
  )
  if (!quota.isOpen)
    throw faults.rateLimited([], { 'retry-after': String(Math.max(1, seconds(quota.movesIn))) }, limit.name)
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000)
}
