import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { cold } from '../sql/compile.ts'
import { find } from '../sql/verbs.ts'
import type { Scope } from '../tx/scope.ts'

/**
 * Transactions that may have written to a table and have not ended, in any tenant. On a cluster they write to a shard,
 * which has the name of the table and a number, and all of a tenant are at the node that holds it: another node refuses
 * them, and it moves only between them.
 */
const writers = (table: string) => sql<string>`select l.virtualtransaction from pg_locks l
  where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.granted
    and l.database = (select d.oid from pg_database d where d.datname = current_database())
    and l.relation::regclass::text ~ ('^' || ${table}::text || '(_[0-9]{6,})?$')`

const findWriters = find((_, p: { table: string }) =>
  cold.selectNoFrom(sql<string[]>`array(${writers(p.table)})`.as('writers')),
)

const findStillWriting = find((_, p: { table: string; writers: readonly string[] }) =>
  cold.selectNoFrom(
    sql<boolean>`exists (select from (${writers(p.table)}) as w where w.virtualtransaction = any(${p.writers}::text[]))`.as(
      'some',
    ),
  ),
)

/** The first pause, and how long they last together, in ms. */
const PATIENCE = { first: 2, most: 1000 }

/**
 * Waits until the transactions have ended that are writing to a table now. A transaction takes its lock before it draws
 * an id, so no row can appear later below an id that was committed before this call.
 * @param table its name in the database
 * @returns false if some have not ended in time
 */
export async function awaitWriters(scope: Scope, table: string): Promise<boolean> {
  const { writers } = (await findWriters(scope, { table }))!
  if (writers.length === 0) return true
  for (let waited = 0, pause = PATIENCE.first; waited < PATIENCE.most; waited += pause, pause *= 2) {
    if (!(await findStillWriting(scope, { table, writers }))!.some) return true
    await sleep(pause)
  }
  return false
}
