import type { Call, Result } from './flight.ts'
import { Unavailable } from './unavailable.ts'

type Send = (calls: readonly Call[]) => Promise<Result[]>

interface Waiting {
  calls: readonly Call[]
  askedAt: number
  resolve(results: Result[]): void
  reject(error: Error): void
}

/**
 * Flights that come while others are pending wait for those, and leave as one flight: one after the other in one
 * transaction, each in its tenant, with one commit for all. To begin and to commit costs PostgreSQL as much as what is
 * written in between. If nothing is pending, a flight does not wait.
 *
 * Each flight is answered as if it were alone: if one fails, nothing of the group has happened, and each is sent by
 * itself. If the connection breaks, each may or may not have been saved, like one that was alone on it.
 *
 * @param dispatch sends a flight on a connection
 * @param limits how many are pending at a time, and how many flights one of them carries
 */
export function openGroups(dispatch: Send, limits: { underWay: number; together: number }) {
  let waiting: Waiting[] = []
  let underWay = 0

  function leave() {
    while (underWay < limits.underWay && waiting.length > 0) {
      underWay++
      void carry(waiting.splice(0, limits.together)).then(() => {
        underWay--
        leave()
      })
    }
  }

  async function carry(group: Waiting[]): Promise<void> {
    if (group.length === 1) return alone(group[0]!)
    try {
      const results = await dispatch(group.flatMap(({ calls }) => calls))
      for (const { calls, resolve } of group) resolve(results.splice(0, calls.length))
    } catch (error) {
      if (!(error instanceof Unavailable)) return void (await Promise.all(group.map(alone)))
      for (const { reject } of group) reject(error)
    }
  }

  async function alone({ calls, resolve, reject }: Waiting): Promise<void> {
    await dispatch(calls).then(resolve, reject)
  }

  return {
    send: (calls: readonly Call[]): Promise<Result[]> =>
      new Promise((resolve, reject) => {
        waiting.push({ calls, askedAt: performance.now(), resolve, reject })
        leave()
      }),
    /** flights that wait for pending ones */
    get waiting() {
      return waiting.length
    },
    /** milliseconds that the oldest of them has waited */
    oldestWait: (now: number) => (waiting[0] ? now - waiting[0].askedAt : 0),
    /** Refuses all waiting flights; none of them was sent. */
    destroy(reason: Error) {
      const refused = waiting
      waiting = []
      for (const { reject } of refused)
        reject(new Unavailable('too many flights are waiting for the database', { cause: reason }))
    },
  }
}
