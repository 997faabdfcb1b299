import pg from 'pg'
import type { Scope } from '../../src/data/tx/scope.ts'
import { heard, planOf } from '../../tools/plans.ts'
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
  return {
    async plansOf(tenantId, read) {
      const calls = await heard(world.database, tenantId, read)
      if (calls.length === 0) throw new Error('nothing was asked of the database')
      const plans: string[] = []
      for (const call of calls)
        for (const forAny of [false, true]) plans.push(await planOf(client, tenantId, call, forAny))
      return plans
    },
    close: () => client.end(),
  }
}
