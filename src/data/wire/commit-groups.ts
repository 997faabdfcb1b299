import type { Call, Result } from './flight.ts'
import { Unavailable } from './unavailable.ts'

type Send = (calls: readonly Call[]) => Promise<Result[]>

export interface CommitGroups {
  /** Sends a flight that changes something, by itself or together with others. It is answered for itself. */
  send: Send
  /** flights that wait for those under way */
  readonly waiting: number
  /** milliseconds that the oldest of them has waited */
  oldestWait(now: number): number
  /** Refuses all that wait: nothing of them was sent. */
  destroy(reason: Error): void
}

/** Four save a third of what a creation costs PostgreSQL, eight a half; of a longer group more is done again where one of it fails. */
const MOST_TOGETHER = 8

interface Waiting {
  calls: readonly Call[]
  askedAt: number
  resolve(results: Result[]): void
  reject(error: Error): void
}

/**
 * Commands that come while others are being written wait for those, and leave as one flight: behind one another in one
 * transaction, each in its tenant, with one commit for all. To begin and to commit costs PostgreSQL as much as what is
 * written in between. Where nothing is under way nobody waits.
 *
 * Each is answered as if it had been alone: where one fails nothing of the group has happened, and each is sent by
 * itself. Where the connection breaks, each may have been saved or not, like one that was alone on it.
 *
 * @param dispatch sends a flight on a connection
 * @param atOnce so many flights are under way
 */
export function openCommitGroups(dispatch: Send, atOnce: number): CommitGroups {
  let waiting: Waiting[] = []
  let underWay = 0

  function leave() {
    while (underWay < atOnce && waiting.length > 0) {
      underWay++
      void write(waiting.splice(0, MOST_TOGETHER)).then(() => {
        underWay--
        leave()
      })
    }
  }

  async function write(group: Waiting[]): Promise<void> {
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
    send: (calls) =>
      new Promise((resolve, reject) => {
        waiting.push({ calls, askedAt: performance.now(), resolve, reject })
        leave()
      }),
    get waiting() {
      return waiting.length
    },
    oldestWait: (now) => (waiting[0] ? now - waiting[0].askedAt : 0),
    destroy(reason) {
      const refused = waiting
      waiting = []
      for (const { reject } of refused) reject(new Unavailable('too many changes are waiting', { cause: reason }))
    },
  }
}
