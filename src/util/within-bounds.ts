import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

const REMEMBERED_MS = 10_000
const PATIENCE_MS = 1000

/**
 * Keeps a costly answer for a while, requests only one at a time, and does not wait long for it: undefined if it is not
 * there in time. The pause is 50 times the duration of the last one.
 */
export function withinBounds<T extends {}>(ask: () => Promise<T>, remembered = REMEMBERED_MS, patience = PATIENCE_MS) {
  const answers = new LRUCache<'it', T>({
    max: 1,
    async fetchMethod(_, __, { options }) {
      const start = performance.now()
      const answer = await ask()
      options.ttl = Math.max(1, remembered, 50 * (performance.now() - start))
      return answer
    },
  })

  return async (): Promise<T | undefined> => {
    const patient = new AbortController()
    const late = sleep(patience, undefined, { signal: patient.signal }).catch(() => undefined)
    const answer = await Promise.race([answers.fetch('it').catch(() => undefined), late])
    patient.abort()
    return answer
  }
}
