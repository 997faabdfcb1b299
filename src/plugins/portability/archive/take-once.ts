import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Takes what only one process can have. One that was broken off a moment ago may seem to have it still: the server
 * notices within a second, so this is tried for three.
 */
export async function takeOnce<T>(take: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let tries = 1; ; tries++) {
    const taken = await take()
    if (taken || tries === 7) return taken
    await sleep(500)
  }
}
