import { type RawBuilder, sql } from 'kysely'
import { cold } from '../sql/compile.ts'
import { type Builder, tableOf } from './orders.ts'

/** Which rows of a list, in its order. */
export interface Window {
  limit: number
  offset?: number
  /** Many rows come before it. */
  far?: true
}

export function mostOf({ limit, offset }: Window): RawBuilder<number> {
  return offset === undefined ? sql<number>`${limit}::integer` : sql<number>`${limit}::integer + ${offset}::integer`
}

/** The rows of a query that are in a window. */
export function cutOut(query: Builder, { limit, offset }: Window): Builder {
  const part = query.limit(limit)
  return offset === undefined ? part : part.offset(offset)
}

/**
 * The rows of these keys, in their order. Each is looked up by itself, so that no plan reads all rows of the list to find
 * a few of them.
 */
export function lookUpEach(keys: Builder, rows: Builder, idColumn: string): Builder {
  const places = cold
    .selectFrom(keys.as(tableOf(idColumn)))
    .select([sql.ref(idColumn).as('id'), sql<number>`row_number() over ()`.as('place')])
  const row = rows.clearOrderBy().where(sql<boolean>`${sql.ref(idColumn)} = ${sql.ref('places.id')}`)
  return cold
    .selectFrom(places.as('places'))
    .innerJoinLateral(row.limit(sql.lit(1)).as('row'), (join) => join.onTrue())
    .selectAll('row')
    .orderBy('places.place') as Builder
}

/** The rows of these keys, in no order. For the few keys of a page near the beginning that costs less. */
export function lookUpTogether(keys: Builder, rows: Builder, idColumn: string): Builder {
  const ids = cold.selectFrom(keys.as(tableOf(idColumn))).select(idColumn as never)
  return rows.where(sql<boolean>`${sql.ref(idColumn)} = any(array(${ids}))`)
}

/** The total of `all` beside each row, if it is wanted. */
export function withTotal(query: Builder, all: Builder, p: { countTo?: number }): Builder {
  return p.countTo === undefined ? query : query.select(() => countOf(all, p.countTo!).as('total'))
}

/** Counts at most this many, in the order of the list, so that only that many rows are read from its index. */
export function countOf(all: Builder, countTo: number): Builder<{ total: number }> {
  const counted = all.clearSelect().select(sql`1`.as('one')).limit(countTo)
  return cold
    .selectFrom(counted.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total')) as unknown as Builder<{ total: number }>
}
