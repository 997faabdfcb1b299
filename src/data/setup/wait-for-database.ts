import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../../kernel/log.ts'
import { assertTakesChanges } from '../connections/primary.ts'

/** Nobody listens there yet, or not for us: a server that is starting, restarting, full for the moment, or a standby. */
const PASSING = /^(E[A-Z]+|57P03|57P01|53300|25006)$/
const PAUSE_MS = 500

/**
 * Waits until the database takes connections and changes: a service that is started together with it must not lose the
 * race. What does not pass by itself (a wrong password, a database that is not there) rejects at once.
 */
export async function waitForDatabase(url: string, log: Log, patience = 30_000): Promise<void> {
  const deadline = performance.now() + patience
  for (let attempt = 0; ; attempt++) {
    const error = await knock(url)
    if (!error) return
    if (!PASSING.test(error.code ?? '') || performance.now() + PAUSE_MS > deadline) throw error
    if (attempt === 0) log.warn({ err: error.message || error.code }, 'the database is not there yet; waiting for it')
    await sleep(PAUSE_MS)
  }
}

async function knock(url: string): Promise<(Error & { code?: string }) | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'atrium-arrival',
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await assertTakesChanges(client)
    return undefined
  } catch (error) {
    return error as Error
  } finally {
    await client.end().catch(() => {})
  }
}
