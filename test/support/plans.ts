import pg from 'pg'
import type { Scope } from '../../src/data/tx/scope.ts'
import { heard, planOf } from '../../tools/plans.ts'
import { endsWithFile } from './clean-up.ts'
import { holderOf, isOnCluster } from './servers.ts'
import type { World } from './world.ts'

/** Shows how PostgreSQL reads what the stores ask for, until the file ends. */
export async function openPlanner(world: World) {
  const clients = new Map<string, pg.Client>()
  async function clientFor(tenantId: number): Promise<pg.Client> {
    const url = await holderOf(world.databaseUrl, tenantId)
    const known = clients.get(url)
    if (known) return known
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    clients.set(url, client)
    return client
  }
  const kinds = isOnCluster(world.databaseUrl) ? [false] : [false, true]
  return {
    /**
     * The plans of the statements that a read of the tenant sends: each for its values, and for any. Citus plans a
     * statement for its values alone.
     */
    async plansOf(tenantId: number, read: (scope: Scope) => Promise<unknown>): Promise<string[]> {
      const calls = await heard(world.database, tenantId, read)
      if (calls.length === 0) throw new Error('nothing was asked of the database')
      const client = await clientFor(tenantId)
      const plans: string[] = []
      for (const call of calls)
        for (const forAny of kinds)
          plans.push(withoutShards(await planOf(client, tenantId, call, forAny, world.database.role)))
      return plans
    },
    close: endsWithFile(async () => {
      for (const client of clients.values()) await client.end()
    }),
  }
}

/** A plan with the names of tables and indexes as they are on one server: on a cluster each ends in that of its shard. */
const withoutShards = (plan: string) => plan.replaceAll(/_\d{6,}\b/g, '')

/** A plan in JSON, of the shard if it is one of a cluster. */
export function planOnShard(plan: any): any {
  const tasks = plan['Distributed Query']?.Job.Tasks
  return tasks ? JSON.parse(withoutShards(JSON.stringify(tasks[0]['Remote Plan'][0][0].Plan))) : plan
}

/** A statement with its values in their places. Citus makes the plan of one that it analyses without its values. */
export const withValues = (text: string, values: readonly unknown[]) =>
  text.replaceAll(/\$(\d+)\b/g, (_, number) => literalOf(values[number - 1]))

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return pg.escapeLiteral(Array.isArray(value) ? `{${value}}` : String(value))
}
