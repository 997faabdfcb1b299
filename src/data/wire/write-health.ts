import { type Call, changes, type FlightError, type Result } from './flight.ts'

/** SQLSTATEs of a database that can be read and not written: its disk is full or broken, or it is a standby by now. */
const FAILS_WRITES = /^(53100|58|25006)/

/** Finds out, by the commands that are run anyway, whether the database takes changes. */
export interface WriteHealth {
  /** Passes on the answer of a flight, and remembers how it fared. */
  watch(calls: readonly Call[], answer: Promise<Result[]>): Promise<Result[]>
  /** true from a change that failed for a reason of the database's own to the first that did not */
  areFailing(): boolean
}

export function watchWrites(): WriteHealth {
  let failing = false
  return {
    async watch(calls, answer) {
      if (!calls.some(changes)) return answer
      try {
        const results = await answer
        failing = false
        return results
      } catch (error) {
        if (FAILS_WRITES.test((error as FlightError).code ?? '')) failing = true
        throw error
      }
    },
    areFailing: () => failing,
  }
}
