import { type RawBuilder, sql } from 'kysely'
import type { Builder } from './orders.ts'

/** Which things of a kind are wanted: those of some ids, or the next ones after an id; at most so many. */
export interface SearchedRange {
  ids?: readonly number[]
  after?: number
  most: number
}

/** A thing with the texts that it is found by. */
export interface SearchedThing {
  id: number
  title: string
  /** everything else, of which a search shows a part */
  text: string
  projectId: number | null
  /** what its own route takes instead of the id, if it does */
  key: string | null
  updatedAt: string
}

/** Characters of a text that are searched. */
const MOST_TEXT = 20_000

/** Selects for a search: the statement of a store, from the rows that are seen. @param key see SearchedThing */
export function searchedIn(
  rows: Builder<any>,
  table: string,
  { title, text, projectId, key, updatedAt = 'updatedAt' }: SearchedColumns,
  { ids, after, most }: SearchedRange,
): Builder<SearchedThing> {
  const id = `${table}.id`
  return rows
    .select([
      `${id} as id`,
      title.as('title'),
      sql<string>`left(${text}, ${sql.lit(MOST_TEXT)})`.as('text'),
      (projectId ?? sql<number | null>`null::bigint`).as('projectId'),
      (key ?? sql<string | null>`null::text`).as('key'),
      `${table}.${updatedAt} as updatedAt`,
    ])
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`${sql.ref(id)} = any(${ids}::bigint[])`))
    .$if(after !== undefined, (query) => query.where(id, '>', after!))
    .orderBy(id)
    .limit(most) as Builder<any>
}

interface SearchedColumns {
  title: RawBuilder<string>
  text: RawBuilder<string>
  projectId?: RawBuilder<number>
  key?: RawBuilder<string>
  /** by default `updatedAt` */
  updatedAt?: string
}
