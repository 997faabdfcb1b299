import fp from 'fastify-plugin'
import type { Coordination } from '../data/redis.ts'
import { faults } from '../kernel/fault.ts'

declare module 'fastify' {
  interface FastifyInstance {
    limits: Limits
  }
}

/** A sliding window: at most `most` within `windowMs`. 0 turns it off. */
export interface Limit {
  name: string
  most: number
  windowMs: number
}

export interface Limits {
  /** Refuses with 429 and Retry-After while the window of this key is full. Counts nothing. */
  assertOpen(limit: Limit, key: string): Promise<void>
  /** Counts one into the window. */
  count(limit: Limit, key: string): Promise<void>
  /** Does the work and counts it if it succeeds. Work under way holds its place, so that a burst does not slip through. */
  attempt<T>(limit: Limit, key: string, work: () => Promise<T>): Promise<T>
}

const MOST_KEYS = 50_000

/**
 * Limits on what can be tried again and again. Counted in Redis where it is configured and up, and always in this
 * process, by the monotonic clock: setting the other one back must not lock anybody out for an hour.
 */
export const limits = fp<{ coordination: Coordination | undefined }>(
  async (app, { coordination }) => {
    const windows = new Map<string, number[]>()
    const underWay = new Map<string, number>()

    function recent(limit: Limit, id: string): number[] {
      const since = performance.now() - limit.windowMs
      const times = (windows.get(id) ?? []).filter((time) => time > since)
      if (times.length) windows.set(id, times)
      else windows.delete(id)
      return times
    }

    /** Asks for no promise, so that nobody comes between the look and what the caller does next. */
    function assertRoom(limit: Limit, id: string, everywhere: number) {
      const here = recent(limit, id)
      if (Math.max(here.length, everywhere) + (underWay.get(id) ?? 0) < limit.most) return
      const oldest = here[0] ?? performance.now()
      const seconds = Math.max(1, Math.ceil((oldest + limit.windowMs - performance.now()) / 1000))
      throw faults.rateLimited([], { 'retry-after': String(seconds) })
    }

    async function everywhere(limit: Limit, id: string): Promise<number> {
      return (await coordination?.counted(id, limit.windowMs)) ?? 0
    }

    function leave(id: string) {
      const others = underWay.get(id)! - 1
      if (others) underWay.set(id, others)
      else underWay.delete(id)
    }

    app.decorate('limits', {
      async assertOpen(limit, key) {
        if (limit.most === 0) return
        const id = `${limit.name}:${key}`
        assertRoom(limit, id, await everywhere(limit, id))
      },
      async count(limit, key) {
        if (limit.most === 0) return
        const id = `${limit.name}:${key}`
        if (windows.size >= MOST_KEYS) windows.delete(windows.keys().next().value!)
        // More than the limit need not be remembered: the window stays closed until the oldest of these leaves it.
        windows.set(id, [...recent(limit, id), performance.now()].slice(-limit.most))
        await coordination?.count(id, limit.windowMs)
      },
      async attempt(limit, key, work) {
        if (limit.most === 0) return work()
        const id = `${limit.name}:${key}`
        assertRoom(limit, id, await everywhere(limit, id))
        underWay.set(id, (underWay.get(id) ?? 0) + 1)
        let result: Awaited<ReturnType<typeof work>>
        try {
          result = await work()
        } finally {
          leave(id)
        }
        // Nobody comes between the two: what leaves is counted in the same turn.
        await app.limits.count(limit, key)
        return result
      },
    })
  },
  { name: 'limits' },
)
