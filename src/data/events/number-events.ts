import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TenantId } from '../../kernel/actor.ts'
import { sharedRuns } from '../../util/shared-runs.ts'
import { cold, compile, TENANT } from '../sql/compile.ts'
import type { Database } from '../wire/database.ts'

/**
 * Events become readable when they get their ids. A command cannot give them: the id of a command that commits late
 * would appear below ids that somebody has read already. So a command leaves its events unnumbered, and one statement at
 * a time numbers what has been committed. The lock that makes it the only one is held until its own commit, and the
 * counter is a row of the tenant, so neither processes, groups of commands nor rollbacks can put an id behind another.
 * Nothing here depends on ids of transactions or on clocks.
 */
const tenant = TENANT as unknown as TenantId

const moved = ['type', 'subjectType', 'subjectId', 'actorKind', 'actorId', 'data', 'occurredAt'] as const

/**
 * Numbers the oldest events, in the order in which their commands wrote them. `mine` says whether this statement had the
 * turn, `taken` how many events it numbered. It may see less than was there when it got the turn, and never an event that
 * another has numbered: that row is gone when it is locked. The counter is read where it is written, so it is never old.
 */
const number = compile('write', (p: { batch: number }) =>
  cold
    .with('turn', (db) =>
      db.selectNoFrom(sql<boolean>`pg_try_advisory_xact_lock(hashtextextended('events', ${tenant}))`.as('mine')),
    )
    .with('taken', (db) =>
      db
        .deleteFrom('unnumberedEvents')
        .where('unnumberedEvents.tenantId', '=', tenant)
        .where((eb) => {
          const oldest = eb
            .selectFrom('unnumberedEvents as waiting')
            .select('waiting.id')
            .where('waiting.tenantId', '=', tenant)
            .where(sql<boolean>`(select mine from turn)`)
            .orderBy('waiting.id')
            .limit(p.batch)
            .forUpdate()
            .skipLocked()
          // As an array, so that they are chosen once; a subquery may be run again, and would exceed its limit.
          return sql<boolean>`unnumbered_events.id = any(array(${oldest}))`
        })
        .returning(['unnumberedEvents.tenantId', 'unnumberedEvents.id'])
        .returning(moved.map((column) => `unnumberedEvents.${column}` as const)),
    )
    .with('counted', (db) =>
      db
        .insertInto('eventCounters')
        .columns(['tenantId', 'lastNumber'])
        .expression((eb) =>
          eb
            .selectFrom('taken')
            .select('taken.tenantId')
            .select((count) => count.fn.countAll<number>().as('lastNumber'))
            .groupBy('taken.tenantId'),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['tenantId'])
            .doUpdateSet({ lastNumber: sql<number>`event_counters.last_number + excluded.last_number` }),
        )
        .returning(['eventCounters.lastNumber']),
    )
    .with('numbered', (db) =>
      db
        .insertInto('events')
        .columns(['tenantId', 'id', ...moved])
        .expression((eb) =>
          eb
            .selectFrom(['taken', 'counted'])
            .select('taken.tenantId')
            .select(sql<number>`counted.last_number + 1 - row_number() over (order by taken.id desc)`.as('place'))
            .select(moved.map((column) => `taken.${column}` as const))
            .orderBy('place'),
        )
        .returning('events.id'),
    )
    .selectFrom('turn')
    .select('turn.mine')
    .select((eb) => eb.selectFrom('taken').select(eb.fn.countAll<number>().as('events')).as('taken')),
)

/** Events of a round; few, because a request may have to wait for them on its connection. */
const BATCH = 500
/** How often to wait for another process that is numbering in the tenant, and the most ms of each wait. */
const RETRY = { times: 20, ms: 6 }

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
