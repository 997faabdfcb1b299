import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../kernel/log.ts'

/** Work that goes on in the background until it is stopped. */
export interface Sweep {
  /** Tells the work to end where it is, and waits until it has. */
  stop(): Promise<void>
}

export interface Rhythm {
  /** what is swept, as the log names it when it fails */
  what: string
  /** ms between the end of one round and the next; after a long round more, so that it stays in the background */
  pause: number
  /** ms before the first round */
  first?: number
}

/** Does `round` again and again. A round that fails is logged, and the next one tries again; the signal asks it to end early. */
export function startSweep(
  log: Log,
  { what, pause, first = 0 }: Rhythm,
  round: (stopping: AbortSignal) => Promise<unknown>,
): Sweep {
  const stopping = new AbortController()
  const { signal } = stopping
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
      await round(signal).catch((error) => log.warn({ err: String(error) }, `${what} could not be swept`))
      await rest(pauseAfter(performance.now() - start))
    }
  }

  /** 50 times what the round took, but no longer than twelve usual pauses: what a busy hour made slow is soon looked at again. */
  function pauseAfter(took: number): number {
    return Math.max(pause, Math.min(50 * took, 12 * pause))
  }

  async function rest(ms: number) {
    if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
  }
}
