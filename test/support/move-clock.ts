import { vi } from 'vitest'
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

/**
 * Windows are measured by the monotonic clock, which cannot be set. Until the file ends it goes on so slowly that no window
 * ends by itself while a busy machine does something else.
 * @returns the clock as it was, and a way to put the slow one ahead
 */
export function slowClock() {
  const monotonic = performance.now.bind(performance)
  const begun = monotonic()
  let ahead = 0
  vi.spyOn(performance, 'now').mockImplementation(() => begun + (monotonic() - begun) / 20 + ahead)
  const secondsPass = (seconds: number, worlds: readonly World[]) =>
    moveClock(worlds, () => {
      ahead += seconds * 1000
    })
  return { monotonic, secondsPass }
}
