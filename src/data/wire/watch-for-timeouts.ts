import type { Connection } from './connection.ts'

const LOOK_EVERY_MS = 100

/**
 * Destroys every connection on which a flight has waited too long, so that nothing hangs. After being blocked, a
 * process first reads what has arrived.
 * @param connections the watched ones, with the ms that their flights may take
 * @returns ends the watch
 */
export function watchForTimeouts(
  connections: () => readonly (readonly [Pick<Connection, 'oldestWait' | 'destroy'>[], timeout: number])[],
): () => void {
  let lookedAt = performance.now()
  const looking = setInterval(() => {
    const now = performance.now()
    const wasBlocked = now - lookedAt > 5 * LOOK_EVERY_MS
    lookedAt = now
    if (wasBlocked) return
    for (const [watched, timeout] of connections())
      for (const connection of watched)
        if (connection.oldestWait(now) > timeout) connection.destroy(new Error('no answer in time'))
  }, LOOK_EVERY_MS)
  looking.unref()
  return () => clearInterval(looking)
}
