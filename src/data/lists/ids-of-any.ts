import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Column } from '../sql/relations.ts'
import type { Reading } from './paginate.ts'

interface Source {
  ids: SelectQueryBuilder<any, any, any>
  column: Column
  /** how often one id can occur among them */
  times?: number
}

/**
 * The first ids of several sources, without duplicates: from the index of each, in the order of the ids, and only as
 * far as the list is read. A condition that joins them with OR would read all of each.
 */
export function idsOfAny(
  sources: readonly Source[],
  { most, before, after, ascending = false }: Reading,
): RawBuilder<number> {
  const parts = sources.map(({ ids, column, times = 1 }) => {
    let read = ids.clearSelect().select(column)
    if (before !== undefined) read = read.where(column, '<', before)
    if (after !== undefined) read = read.where(column, '>', after)
    return sql`(${read.orderBy(column, ascending ? 'asc' : 'desc').limit(sql<number>`(${most}) * ${sql.lit(times)}`)})`
  })
  return sql<number>`(${sql.join(parts, sql` union `)})`
}
