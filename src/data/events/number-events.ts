import { sql } from 'kysely'
import type { TenantId } from '../../kernel/actor.ts'
import type { Job } from '../jobs/job.ts'
import { type Round, roundsOf } from '../jobs/rounds.ts'
import { cold, compile, TENANT } from '../sql/compile.ts'
import type { Scope } from '../tx/scope.ts'
import type { Database } from '../wire/database.ts'
import { findUnnumbered } from './unnumbered.ts'

/**
 * Events become readable when they get their ids. A command cannot give them: the id of a command that commits late
 * would appear below ids that somebody has read already. So a command leaves its events unnumbered, and one transaction
 * at a time numbers what has been committed. The lock that makes it the only one is held until its own commit, and the
 * counter is a row of the tenant, so neither processes, groups of commands nor rollbacks can put an id behind another.
 * Nothing here depends on ids of transactions or on clocks. On a cluster the lock is that of the node which holds the
 * tenant: another node refuses the statement, and the tenant moves only between two.
 * The function number_events does it.
 */
const number = compile('write', (p: { batch: number }) =>
  cold.selectFrom(sql<Round>`number_events(${TENANT}, ${p.batch})`.as('round')).select(['round.mine', 'round.taken']),
)

/** Events of a round; few, because a request may have to wait for them on its connection. */
const BATCH = 500

/**
 * Gives ids to the committed events of a tenant, the oldest first: one round.
 * @returns true if there are more than fit into a round, or if another process would not give up its turn
 */
export const numberEvents = roundsOf(number, BATCH, { times: 100, ms: 6 })

/** More rounds would number more than anybody can be given at a time. */
const MOST_ROUNDS = 4

/** Gives ids to the events that were committed before the call. */
export async function numberAll(database: Database, tenantId: TenantId): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS && (await numberEvents(database, tenantId)); round++);
}

/** After each batch, requests have the database to themselves for this many times its duration. */
const REST = 4

const hasUnnumbered = async (scope: Scope) => (await findUnnumbered(scope, {})) !== undefined

/** Numbers the events that nobody has read yet, so that they do not pile up: readers number what they need themselves. */
export const eventWorker: Job = {
  name: 'the events',
  every: 5000,
  inTenants: { failed: 'the events could not be numbered', where: hasUnnumbered, rest: REST },
  work: ({ tenantId }, { database }) => numberEvents(database, tenantId),
}
