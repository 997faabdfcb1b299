import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionLost, isUnavailable, OutcomeUnknown } from '../../src/data/wire/unavailable.ts'
import { type Answer, type Client, clientOver } from './client.ts'
import { now, PATIENCE_MS } from './patience.ts'

/**
 * Sends a request as `docs/scaling.md` tells clients to: after a 503 that says that nothing happened it is sent again when
 * `Retry-After` says so. Any other answer is handed on, OUTCOME_UNKNOWN too; and so is a 503 that outlasts the patience.
 */
export async function obeying<A extends Pick<Answer, 'headers' | 'error'>>(send: () => Promise<A>): Promise<A> {
  for (const end = now() + PATIENCE_MS; ; ) {
    const answer = await send()
    const seconds = Number(answer.headers['retry-after'])
    if (answer.error?.type !== 'UNAVAILABLE' || !seconds || now() > end) return answer
    await sleep(seconds * 1000)
  }
}

/** A client that always does. */
export const obedient = (client: Client): Client => clientOver((options) => obeying(() => client.send(options)))

/** The same of a command in this process, which is run again while the database is not available. */
export async function insisting<T>(command: () => Promise<T>): Promise<T> {
  for (const end = now() + PATIENCE_MS; ; )
    try {
      return await command()
    } catch (error) {
      const mayHaveHappened = error instanceof OutcomeUnknown || error instanceof ConnectionLost
      if (mayHaveHappened || !isUnavailable(error as Error) || now() > end) throw error
      await sleep(100 * Math.random())
    }
}
