import type pg from 'pg'
import { findRoleFacts } from '../src/data/setup/service-role.ts'
import { openScope } from '../src/data/tx/open-scope.ts'
import type { Scope } from '../src/data/tx/scope.ts'
import type { Database } from '../src/data/wire/database.ts'
import type { Call } from '../src/data/wire/flight.ts'

/** The statements that a read sends for a tenant, apart from the one that enters it. */
export async function heard(
  database: Database,
  tenantId: number,
  read: (scope: Scope) => Promise<unknown>,
): Promise<Call[]> {
  const calls: Call[] = []
  const eavesdropped: Database = {
    ...database,
    send(id, flight) {
      calls.push(...flight.slice(1))
      return database.send(id, flight)
    },
    search(id, flight, who) {
      calls.push(...flight.slice(1))
      return database.search(id, flight, who)
    },
  }
  await read(openScope(eavesdropped, tenantId))
  // A read that takes too long is sent again, as a search.
  return [...new Set(calls)]
}

/**
 * The plan of a statement as the service gets it, under row security: for its values, or for any.
 * @param role that of the service, by default the one that the database names
 */
export async function planOf(
  client: pg.Client,
  tenantId: number,
  { prepared, values }: Pick<Call, 'prepared' | 'values'>,
  forAny = false,
  role?: string,
): Promise<string> {
  await client.query('begin')
  await client.query(`select set_config('role', $1, true), set_config('app.tenant_id', $2, true)`, [
    role ?? (await findRoleFacts(client)).role,
    String(tenantId),
  ])
  const { rows } = forAny
    ? await client.query(`explain (generic_plan) ${prepared.text}`)
    : await client.query(`explain ${prepared.text}`, values as unknown[])
  await client.query('rollback')
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
