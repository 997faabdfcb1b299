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
}

const MOST_KEYS = 50_000

/** Limits on what can be tried again and again. Counted in Redis where it is configured and up, and always in this process. */
export const limits = fp<{ coordination: Coordination | undefined }>(
  async (app, { coordination }) => {
    const windows = new Map<string, number[]>()

    function recent(limit: Limit, id: string): number[] {
      const since = Date.now() - limit.windowMs
      const times = (windows.get(id) ?? []).filter((time) => time > since)
      if (times.length) windows.set(id, times)
      else windows.delete(id)
      return times
    }

    app.decorate('limits', {
      async assertOpen(limit, key) {
        if (limit.most === 0) return
        const id = `${limit.name}:${key}`
        const here = recent(limit, id)
        const counted = Math.max(here.length, (await coordination?.counted(id, limit.windowMs)) ?? 0)
        if (counted < limit.most) return
        const oldest = here[0] ?? Date.now()
        const seconds = Math.max(1, Math.ceil((oldest + limit.windowMs - Date.now()) / 1000))
        throw faults.rateLimited([], { 'retry-after': String(seconds) })
      },
      async count(limit, key) {
        if (limit.most === 0) return
        const id = `${limit.name}:${key}`
        if (windows.size >= MOST_KEYS) windows.delete(windows.keys().next().value!)
        // More than the limit need not be remembered: the window stays closed until the oldest of these leaves it.
        windows.set(id, [...recent(limit, id), Date.now()].slice(-limit.most))
        await coordination?.count(id, limit.windowMs)
      },
    })
  },
  { name: 'limits' },
)
