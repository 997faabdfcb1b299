import { until } from './patience.ts'
import type { World } from './world.ts'

/** Moves a clock in a moment in which no database is asked for anything: an answer that comes after it would be late. */
export function moveClock(worlds: readonly World[], move: () => void): Promise<unknown> {
  return until(() => {
    const isAsked = worlds.some(({ database }) => {
      const { pending, leased, searches } = database.stats()
      return pending + leased + searches > 0
    })
    return !isAsked && move()
  })
}
