import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../../kernel/log.ts'
import { assertTakesChanges } from '../connections/primary.ts'
import { ARRIVAL_MS, withClient } from '../connections/with-client.ts'
import { SetupProblem } from './setup-problem.ts'

/** No server listens yet, or not for us: it is starting, restarting, full for the moment, or a standby. */
const PASSING = /^(E[A-Z]+|57P03|57P01|53300|25006)$/
const PAUSE_MS = 500
/** What the driver reports, without a code, for a server that does not answer, or closes the connection. */
const NO_ANSWER = /^(timeout expired|Connection terminated|Query read timeout)/

/**
 * Waits until the database accepts connections and changes: a service that is started together with it must not lose
 * the race. Lasting errors (a wrong password, a missing database) reject immediately.
 * @param patience ms until it gives up
 * @param noticeEvery ms between its log messages
 * @throws SetupProblem that names the server, if it has not answered by then
 */
export async function waitForDatabase(url: string, log: Log, patience = ARRIVAL_MS, noticeEvery = 5000): Promise<void> {
  const start = performance.now()
  let noticed: number | undefined
  for (;;) {
    const error = await knock(url)
    if (!error) return
    if (!PASSING.test(error.code ?? '') && !NO_ANSWER.test(error.message)) throw error
    const now = performance.now()
    const waited = Math.round((now - start) / 1000)
    const err = error.message || error.code
    if (now - start + PAUSE_MS > patience) throw gaveUp(url, waited, error)
    if (noticed === undefined)
      log.warn({ err, database: serverOf(url) }, 'the database is not there yet; waiting for it')
    else if (now - noticed > noticeEvery)
      log.warn(
        { err, database: serverOf(url), waitedInS: waited, givesUpAfterS: Math.round(patience / 1000) },
        'still waiting for the database',
      )
    if (noticed === undefined || now - noticed > noticeEvery) noticed = now
    await sleep(PAUSE_MS)
  }
}

function serverOf(url: string): string {
  const { host, port } = new pg.Client({ connectionString: url })
  return `${host}:${port}`
}

function gaveUp(url: string, waited: number, cause: Error & { code?: string }): SetupProblem {
  const reason = cause.message || cause.code
  return new SetupProblem(
    `The database at ${serverOf(url)} was not available within ${waited} s: ${reason}. Is it running, and is DATABASE_URL right?`,
    { cause },
  )
}

async function knock(url: string): Promise<(Error & { code?: string }) | undefined> {
  return withClient(url, 'atrium-arrival', assertTakesChanges, 5000).then(
    () => undefined,
    (error) => error,
  )
}
