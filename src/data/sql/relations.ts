import { type JoinBuilder, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { DB } from './schema.ts'

/** A column by its full name: `tasks.projectId`. */
export type Column = { [T in keyof DB & string]: `${T}.${keyof DB[T] & string}` }[keyof DB & string]

/** Joins two tables of a tenant on the tenant, and on the column that names the other's row. */
export function onKey(column: Column, other: Column) {
  return (join: JoinBuilder<any, any>) =>
    join.onRef(`${tableOf(column)}.tenantId`, '=', `${tableOf(other)}.tenantId`).onRef(column, '=', other)
}

/** The same by the id of a table under another name in the query, so that it can be joined more than once. */
export function onIdAs(name: string, other: Column) {
  return (join: JoinBuilder<any, any>) =>
    join.onRef(`${name}.tenantId`, '=', `${tableOf(other)}.tenantId`).onRef(`${name}.id`, '=', other)
}

/** A query over the rows of a table, to extend. */
export type Rows<T extends keyof DB, O> = SelectQueryBuilder<DB, T, O>

/** In a subquery: the rows whose column equals that of the row in the outer query, which the builder cannot know. */
export function matches(column: Column, outer: Column): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = ${sql.ref(outer)}`
}

/** Whether one of these texts has what a pattern of LIKE says, in upper or lower case. */
export function anyLike(pattern: string, texts: readonly (Column | RawBuilder<unknown>)[]): RawBuilder<boolean> {
  const likes = texts.map((text) => sql`${typeof text === 'string' ? sql.ref(text) : text} ilike ${pattern}`)
  return sql<boolean>`(${sql.join(likes, sql` or `)})`
}

/** In a subquery: how many rows there are, counted no further than `most`, in the order of an index. */
export function countUpTo(most: number, rows: SelectQueryBuilder<any, any, any>): RawBuilder<number> {
  return sql<number>`(select count(*) from (${rows.select(sql`1`.as('one')).limit(sql.lit(most))}) as counted)`
}

/**
 * In a query: whether there is any such row, looked up for each row that is shown. For a long list, PostgreSQL may
 * evaluate an EXISTS for all rows of a table, however few are shown.
 */
export function isThere(rows: SelectQueryBuilder<any, any, any>): RawBuilder<boolean> {
  return sql<boolean>`coalesce((${rows.select(sql`true`.as('is')).limit(sql.lit(1))}), false)`
}

function tableOf(column: Column): string {
  return column.slice(0, column.indexOf('.'))
}
