import type { Database } from '../../src/data/wire/database.ts'
import type { Call, Line } from '../../src/data/wire/connection.ts'

const ENTERS = `select set_config('role', $1, true), set_config('app.tenant_id', $2, true)`

/**
 * The database, with somebody at the door: a flight whose first statement does not enter a tenant in the service's own
 * role never leaves, and neither does one on a held line whose transaction has not entered yet. Row security would hide
 * the mistake from a superuser's URL, as tests have it.
 */
export function entered(database: Database): Database {
  return {
    ...database,
    fly(calls) {
      assertEntered(calls, false)
      return database.fly(calls)
    },
    async hold() {
      const { line, release } = await database.hold()
      let isInside = false
      const watched = {
        fly: {
          value(calls: readonly Call[]) {
            isInside = assertEntered(calls, isInside)
            return line.fly(calls)
          },
        },
      }
      return { line: Object.create(line, watched) as Line, release }
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
