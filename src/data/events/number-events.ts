import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TenantId } from '../../kernel/actor.ts'
import { sharedRuns } from '../../util/shared-runs.ts'
import { cold, compile, TENANT } from '../sql/compile.ts'
import type { Database } from '../wire/database.ts'

/**
 * Events become readable when they get their ids. A command cannot give them: the id of a command that commits late
 * would appear below ids that somebody has read already. So a command leaves its events unnumbered, and one transaction
 * at a time numbers what has been committed. The lock that makes it the only one is held until its own commit, and the
 * counter is a row of the tenant, so neither processes, groups of commands nor rollbacks can put an id behind another.
 * Nothing here depends on ids of transactions or on clocks. On a cluster the lock is that of the node which holds the
 * tenant: another node refuses the statement, and the tenant moves only between two.
 *
 * `mine` says whether this statement had the turn, `taken` how many events it numbered: what the
 * function number_events does.
 */
const number = compile('write', (p: { batch: number }) =>
  cold
    .selectFrom(sql<{ mine: boolean; taken: number }>`number_events(${TENANT}, ${p.batch})`.as('round'))
    .select(['round.mine', 'round.taken']),
)

/** Events of a round; few, because a request may have to wait for them on its connection. */
const BATCH = 500
/** How often to wait for another process that is numbering in the tenant, and the most ms of each wait. */
const RETRY = { times: 100, ms: 6 }

async function numberBatch(database: Database, tenantId: TenantId): Promise<boolean> {
  for (let time = 0; time < RETRY.times; time++) {
    const calls = [database.entering(tenantId, 'shared'), number(tenantId, { batch: BATCH })]
    const [, result] = await database.send(tenantId, calls)
    const { mine, taken } = result!.rows[0] as { mine: boolean; taken: number }
    if (mine) return taken === BATCH
    await sleep(Math.random() * RETRY.ms)
  }
  return true
}

const rounds = new WeakMap<Database, (tenantId: TenantId) => Promise<boolean>>()

/**
 * Gives ids to the committed events of a tenant, the oldest first, in one round trip. Callers in this process share a
 * round that begins after their call.
 * @returns true if there are more than fit into a round, or if another process would not give up its turn
 */
export function numberEvents(database: Database, tenantId: TenantId): Promise<boolean> {
  const numberNext = rounds.get(database) ?? sharedRuns((tenantId: TenantId) => numberBatch(database, tenantId))
  rounds.set(database, numberNext)
  return numberNext(tenantId)
}

/** More rounds would number more than anybody can be given at a time. */
const MOST_ROUNDS = 4

/** Gives ids to the events that were committed before the call. */
export async function numberAll(database: Database, tenantId: TenantId): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS && (await numberEvents(database, tenantId)); round++);
}
