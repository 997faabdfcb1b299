import { AtriumError } from './failure.ts'

/** A key like no other. By hand: where a page comes by plain HTTP, `crypto.randomUUID` is missing. */
export function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const FIRST_PAUSE_MS = 200

/**
 * Sends again what came to no definite end, so often at most, after the pause that the service asks for or one that
 * grows.
 * @param isRepeatable a second one does no harm: it reads, or its key says that it is the same
 */
export async function sendAgain<T>(
  send: () => Promise<T>,
  { times, isRepeatable, signal }: { times: number; isRepeatable: boolean; signal: AbortSignal | undefined },
): Promise<T> {
  for (let time = 0; ; time++) {
    try {
      return await send()
    } catch (error) {
      if (time >= times || !(error instanceof AtriumError) || !mayBeSentAgain(error, isRepeatable)) throw error
      const pause = error.retryAfter ? 1000 * error.retryAfter : FIRST_PAUSE_MS * 2 ** time
      await wait(pause * (1 + Math.random() / 4), signal)
    }
  }
}

/** Where the service says when to come back, nothing has happened; without an answer, or with a proxy's, it may have. */
function mayBeSentAgain({ status, type, retryAfter }: AtriumError, isRepeatable: boolean): boolean {
  if (type === 'UNAVAILABLE' && retryAfter !== undefined) return true
  return isRepeatable && (status === 0 || status >= 502)
}

/** @throws the reason of the signal when it aborts */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    function end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
  })
}
