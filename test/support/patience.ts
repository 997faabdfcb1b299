import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How long anything may take before it counts as a hang, in ms: the one patience of all tests. `npm test` finds out at
 * its start how slow the machine is, and allows the more.
 */
export const PATIENCE_MS = Number(process.env.TEST_PATIENCE_MS) || 60_000

/** How many times longer than on a machine at rest everything takes: for limits of time that a test makes short. */
export const SLOWNESS = PATIENCE_MS / 60_000

/** A service that gives its database so many ms, on a machine at rest. */
export const givesDatabase = (ms: number) => ({
  DATABASE_TIMEOUT_MS: String(Math.min(Math.round(ms * SLOWNESS), 60_000)),
})

/** With FIGURES=1, on a machine at rest, tests print what they measured and hold the promised durations. */
export const HOLDS_FIGURES = process.env.FIGURES === '1'

/**
 * The bound of a duration that was measured: a hang exceeds it, whatever else the machine does. With FIGURES=1 it is
 * the figure.
 * @param figure ms that are promised on a machine at rest
 */
export const inTime = (figure: number): number => (HOLDS_FIGURES ? figure : Math.max(figure, PATIENCE_MS))

/** The clock of a patience, in ms; some tests replace that of the service. */
export const now = performance.now.bind(performance)

/**
 * Looks until the look neither throws nor says false. @returns what it said; a wait that outlasts the patience throws
 * what the last look threw
 */
export async function until<T>(look: () => T | Promise<T>, everyMs = 20): Promise<Exclude<T, false>> {
  for (const end = now() + PATIENCE_MS; ; await sleep(everyMs)) {
    const isOver = now() > end
    try {
      const said = await look()
      if (said !== false) return said as Exclude<T, false>
    } catch (error) {
      if (isOver) throw error
      continue
    }
    if (isOver) throw new Error(`This did not come about within ${Math.round(PATIENCE_MS / 1000)} s: ${look}`)
  }
}

/** Does it again while PostgreSQL refuses it with this code, which says that it has done nothing. */
export async function againOn<T>(code: string, act: () => Promise<T>): Promise<T> {
  for (const end = now() + PATIENCE_MS; ; await sleep(20))
    try {
      return await act()
    } catch (error) {
      if ((error as { code?: unknown }).code !== code || now() > end) throw error
    }
}

/** Waits until the count is 0, for as long as it keeps falling. */
export async function untilNone(count: () => Promise<number>, everyMs?: number): Promise<void> {
  for (let left = await count(); left > 0; ) {
    const before = left
    await until(async () => {
      left = await count()
      return left < before
    }, everyMs)
  }
}
