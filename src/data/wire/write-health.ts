import { type Call, changes, type FlightError, type Result } from './flight.ts'

/** SQLSTATEs of a database that can be read but not written: its disk is full or broken. */
const FAILS_WRITES = /^(53100|58)/
/** On a full disk small changes still succeed now and then, so a success proves nothing for this long. */
const CALM_MS = 5000

/** Learns from the commands whether the database accepts changes. @param clock milliseconds that only grow */
export function watchWrites(clock = () => performance.now()) {
  let failedAt: number | undefined
  return {
    /** Passes on the answer of a flight, and remembers its outcome. */
    async watch(calls: readonly Call[], answer: Promise<Result[]>): Promise<Result[]> {
      if (!calls.some(changes)) return answer
      try {
        const results = await answer
        if (failedAt !== undefined && clock() - failedAt >= CALM_MS) failedAt = undefined
        return results
      } catch (error) {
        if (FAILS_WRITES.test((error as FlightError).code ?? '')) failedAt = clock()
        throw error
      }
    },
    /** true from a change that failed because of the database itself until one succeeds 5 s after the last failure */
    areFailing: () => failedAt !== undefined,
  }
}
