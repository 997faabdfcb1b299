import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../kernel/log.ts'
import type { JobBook } from './job-book.ts'

/** Background work that continues until it is stopped. */
export interface Sweep {
  /** Asks the work to end, and waits until it has. */
  stop(): Promise<void>
}

export interface Rhythm {
  /** what is swept, as the log and `/system/jobs` name it */
  what: string
  /** ms between the end of one round and the next; longer after a long round, so that it stays in the background */
  pause: number
  /** ms before the first round */
  first?: number
}

/** What a sweep reports to; a `Database` is one. */
export interface SweepHost {
  readonly log: Log
  readonly jobs: JobBook
}

/**
 * Repeats `round`. A failed round is logged and retried by the next one; the signal asks it to end early. After one that
 * returns true there is no pause, because there is more to do.
 */
export function startSweep(
  { log, jobs }: SweepHost,
  { what, pause, first = 0 }: Rhythm,
  round: (stopping: AbortSignal) => Promise<unknown>,
): Sweep {
  const stopping = new AbortController()
  const { signal } = stopping
  const job = jobs.open(what)
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }

  async function run() {
    await rest(first)
    while (!signal.aborted) {
      const start = performance.now()
      const end = job.begin()
      const more = await round(signal).then(
        (more) => {
          end('ok')
          return more === true
        },
        (error) => {
          end('failed')
          log.warn({ err: String(error) }, `${what} could not be swept`)
          return false
        },
      )
      await rest(more ? 0 : pauseAfter(performance.now() - start))
    }
    job.close()
  }

  /** 50 times the duration of the round, but at most twelve usual pauses, so that a slow hour is soon over. */
  function pauseAfter(took: number): number {
    return Math.max(pause, Math.min(50 * took, 12 * pause))
  }

  async function rest(ms: number) {
    job.due(ms)
    if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
  }
}
