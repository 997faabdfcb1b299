import { type Builder, cold, columnsOf, type From, find, lend, list, lock, sql, write, writeReturning } from '#atrium'
import { everyOperation, newestOperation, operations } from '#atrium/audit'

/** The link of an operation in the chain, in a query over the audit; null until it has one. */
export const linkOfOperation = lend(
  ['auditLinks'],
  (from: From) =>
    sql<string | null>`(${from('auditLinks')
      .select('auditLinks.chain')
      .where(sql<boolean>`audit_links.id = audit_operations.id`)})`,
)

/** Up to which row the audit goes, and up to which its chain. */
export const findReach = find((from, _: object) =>
  cold.selectNoFrom([
    newestOperation(from).as('newest'),
    sql<number>`coalesce((${from('auditChains').select('auditChains.lastId')}), 0)`.as('linked'),
  ]),
)

/**
 * How many rows above the end of the chain have no link yet, for how many seconds the oldest has waited, and for how many
 * of these the chain has not moved.
 */
export const countUnlinked = find((from, _: object) => {
  const end = (column: 'lastId' | 'movedAt') => from('auditChains').select(`auditChains.${column} as end`)
  const oldest = sql`extract(epoch from (clock_timestamp() - min(audit_operations.created_at)))`
  const sinceMoved = sql`extract(epoch from (clock_timestamp() - (${end('movedAt')})))`
  return everyOperation(from)
    .select([
      sql<number>`count(*)`.as('rows'),
      sql<number>`coalesce(${oldest}, 0)::float8`.as('oldest'),
      // Without a chain there is nothing that has moved: the least of what is not null.
      sql<number>`coalesce(least(${oldest}, case when count(*) > 0 then ${sinceMoved} end), 0)::float8`.as('stalled'),
    ])
    .where('auditOperations.id', '>', sql<number>`coalesce((${end('lastId')}), 0)`)
})

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
export const moveEnd = write(({ update }, p: { lastId: number; lastChain: string }) =>
  update('auditChains').set({ ...p, movedAt: sql<string>`statement_timestamp()` }),
)

/** Where the chain begins, after what retention has removed, and where it ends. */
export const findEnds = find((from, _: object) =>
  from('auditChains').select(columnsOf('auditChains', ['removedId', 'removedChain', 'lastId', 'lastChain'])),
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
