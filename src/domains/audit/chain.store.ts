import { type Builder, cold, find, list, lock, sql, write, writeReturning } from '#atrium'
import { operations } from './audit.store.ts'

/** Up to which row the audit goes, and up to which its chain. */
export const findReach = find((from, _: object) =>
  cold.selectNoFrom([
    sql<number>`coalesce((${from('auditOperations').select((eb) => eb.fn.max('auditOperations.id').as('id'))}), 0)`.as(
      'newest',
    ),
    sql<number>`coalesce((${from('auditChains').select('auditChains.lastId')}), 0)`.as('linked'),
  ]),
)

/** How many seconds the oldest row above the end of the chain has waited for its link; undefined if there is none. */
export const findLongestWait = find((from, _: object) =>
  from('auditOperations')
    .select(sql<number>`extract(epoch from (clock_timestamp() - audit_operations.created_at))::float8`.as('seconds'))
    .where('auditOperations.id', '>', sql<number>`coalesce((${from('auditChains').select('auditChains.lastId')}), 0)`)
    .orderBy('auditOperations.id')
    .limit(sql.lit(1)),
)

/** Where the chain ends, kept until the commit; undefined if it has not begun. */
export const lockChain = lock((from, _: object) =>
  from('auditChains').select(['auditChains.lastId as id', 'auditChains.lastChain as chain']).forNoKeyUpdate(),
)

/** Begins the chain of a tenant. If another process has just begun it, this waits, and returns where it ends then. */
export const beginChain = writeReturning(({ insert }, _: object) =>
  insert('auditChains', { lastId: 0 })
    .onConflict((conflict) => conflict.columns(['tenantId']).doUpdateSet({ lastId: sql`audit_chains.last_id` }))
    .returning(['auditChains.lastId as id', 'auditChains.lastChain as chain']),
)

/** Adds links. Expressions that return sets in VALUES make a row of each position, in one statement for any number. */
export const insertLinks = write(({ insert }, p: { ids: number[]; chains: string[] }) =>
  insert('auditLinks', {
    id: sql<number>`unnest(${p.ids}::bigint[])`,
    chain: sql<string>`unnest(${p.chains}::text[])`,
  }),
)

/** Moves the end of the chain to the last link. */
export const moveEnd = write(({ update }, p: { lastId: number; lastChain: string }) => update('auditChains').set(p))

/** Where the chain begins, after what retention has removed, and where it ends. */
export const findEnds = find((from, _: object) =>
  from('auditChains').select([
    'auditChains.removedId',
    'auditChains.removedChain',
    'auditChains.lastId',
    'auditChains.lastChain',
  ]),
)

/** Rows of the audit, in the order of their ids. */
export const listRows = list((from, p: { after: number; upTo: number; most: number }) =>
  between(operations(from), 'auditOperations.id', p),
)

/** Their links. */
export const listLinks = list((from, p: { after: number; upTo: number; most: number }) =>
  between(from('auditLinks').select(['auditLinks.id', 'auditLinks.chain']), 'auditLinks.id', p),
)

/** The first ones of an interval, in the order of their ids. */
function between<O>(rows: Builder<O>, id: string, p: { after: number; upTo: number; most: number }): Builder<O> {
  return rows.where(id, '>', p.after).where(id, '<=', p.upTo).orderBy(id).limit(p.most) as Builder<O>
}
