import pg from 'pg'
import type { Database } from '../../src/data/database.ts'
import type { Call } from '../../src/data/flight.ts'
import { SERVICE_ROLE } from '../../src/data/migrate.ts'
import type { Scope } from '../../src/data/scope.ts'
import { openScope } from '../../src/data/transaction.ts'
import type { World } from './world.ts'

/** Shows how PostgreSQL reads what the stores ask for. */
export interface Planner {
  /** The plans of the statements that a read of the tenant sends: each for its values, and for any. */
  plansOf(tenantId: number, read: (scope: Scope) => Promise<unknown>): Promise<string[]>
  close(): Promise<void>
}

export async function openPlanner(world: World): Promise<Planner> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()

  /** The statements that a read sends, apart from the one that enters the tenant. */
  async function heard(tenantId: number, read: (scope: Scope) => Promise<unknown>): Promise<Call[]> {
    const calls: Call[] = []
    const eavesdropped: Database = {
      ...world.database,
      fly(flight) {
        calls.push(...flight.slice(1))
        return world.database.fly(flight)
      },
    }
    await read(openScope(eavesdropped, tenantId))
    return calls
  }

  /** The plan as the service gets it, behind row security. */
  async function explain(tenantId: number, { prepared, values }: Call, forAny: boolean): Promise<string> {
    await client.query('begin')
    await client.query(`select set_config('role', $1, true), set_config('app.tenant_id', $2, true)`, [
      SERVICE_ROLE,
      String(tenantId),
    ])
    const { rows } = forAny
      ? await client.query(`explain (generic_plan) ${prepared.text}`)
      : await client.query(`explain ${prepared.text}`, values as unknown[])
    await client.query('rollback')
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  return {
    async plansOf(tenantId, read) {
      const calls = await heard(tenantId, read)
      if (calls.length === 0) throw new Error('nothing was asked of the database')
      const plans: string[] = []
      for (const call of calls) plans.push(await explain(tenantId, call, false), await explain(tenantId, call, true))
      return plans
    },
    close: () => client.end(),
  }
}
