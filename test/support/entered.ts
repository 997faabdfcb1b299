import type { Connection } from '../../src/data/wire/connection.ts'
import type { Database } from '../../src/data/wire/database.ts'
import type { Call } from '../../src/data/wire/flight.ts'

const ENTERS = `select set_config('role', $1, true), set_config('app.tenant_id', $2, true)`

/**
 * The database, with somebody at the door: a flight whose first statement does not enter a tenant in the service's own
 * role never leaves, and neither does one on a leased connection whose transaction has not entered yet. Row security would hide
 * the mistake from a superuser's URL, as tests have it.
 */
export function entered(database: Database): Database {
  return {
    ...database,
    send(tenantId, calls) {
      assertEntered(calls, false)
      return database.send(tenantId, calls)
    },
    search(tenantId, calls, who) {
      assertEntered(calls, false)
      return database.search(tenantId, calls, who)
    },
    async acquire(tenantId) {
      const { connection, release } = await database.acquire(tenantId)
      let isInside = false
      const watched = {
        send: {
          value(calls: readonly Call[]) {
            isInside = assertEntered(calls, isInside)
            return connection.send(calls)
          },
        },
      }
      return { connection: Object.create(connection, watched) as Connection, release }
    },
  }
}

/** @returns whether the transaction is inside a tenant behind these calls */
function assertEntered(calls: readonly Call[], wasInside: boolean): boolean {
  let isInside = wasInside
  for (const { prepared } of calls) {
    if (prepared.text.startsWith(ENTERS)) isInside = true
    else if (['begin', 'commit', 'rollback'].includes(prepared.text)) isInside = false
    else if (!isInside) throw new Error(`sent without its tenant: ${prepared.text}`)
  }
  return isInside
}
