import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { fail, faults } from '../../kernel/fault.ts'
import type { Next, PageRequest } from '../../kernel/page.ts'
import { cold } from '../sql/compile.ts'
import type { From } from '../sql/verbs.ts'

export type Builder<O = any> = SelectQueryBuilder<any, any, O>
type Params = Record<string, any>
export type Order = 'newest' | 'oldest'

/**
 * The fields that a list can be sorted by besides its id: columns that are unique in a tenant and served by an index, or
 * values that rows share.
 */
export type Sorts = Readonly<Record<string, string | SharedValue>>

/**
 * A value that several rows may have, or none. Rows with the same value follow by id; rows without one come last in both
 * directions. Its index holds the tenant, what the list is of, `halves` if there are any, the value, the id.
 */
export interface SharedValue {
  /** by its full name */
  column: string
  /** the expression over it that the index has, if it is not the column itself */
  by?: RawBuilder<unknown>
  /** reads a value as the rows of the list show it; undefined if it is none */
  read(written: string): unknown
  /** Some rows have no value. */
  nullable?: {
    /** what else the list demands of rows that have one, for the index */
    having?: (rows: Builder, p: Params) => Builder
  }
  /**
   * A boolean column that stands before the value in the index. The parameter of this name chooses a half; without it,
   * both are read and merged.
   */
  halves?: { column: string; chosenBy: string }
}

/** Where a list continues in such an order: after this row. */
interface Place {
  behindId?: number
  behindValue?: unknown
}

/** A list of rows of groups, each group in the order of an index: the tasks of several projects. */
export interface Groups {
  /** selects `id` of each; undefined if the list is not one of groups */
  of(from: From, p: any): Builder | undefined
  /** the column of the rows that names the group */
  column: string
}

/** The field that an order uses, if it is not the id. */
export function fieldOf(sort: string | undefined): string | undefined {
  const field = sort?.replace(/^-/, '')
  return field === 'id' ? undefined : field
}

export function orderOf(sort: string | undefined, first: Order): Order {
  return sort === 'id' ? 'oldest' : sort === '-id' ? 'newest' : first
}

/** The value of that order, if rows may share it. */
export function sharedOf(sort: string | undefined, sorts: Sorts): SharedValue | undefined {
  const sorted = sorts[fieldOf(sort) ?? '']
  return typeof sorted === 'object' ? sorted : undefined
}

/** The parameters that choose a half of an index. */
export function halvesOf(sorts: Sorts = {}): string[] {
  return Object.values(sorts).flatMap((sort) => (typeof sort === 'object' && sort.halves ? [sort.halves.chosenBy] : []))
}

/** How a list is ordered: its rows as far as they are wanted, and the order in which parts of it are merged. */
export interface Ordering {
  /** the columns that it needs besides the id */
  columns: readonly string[]
  inOrder(rows: Builder, most: RawBuilder<number> | number): Builder
  merge(rows: Builder): Builder
}

/** The order by a value that rows share. It reads as many rows of its index as are wanted, in each half. */
export function bySharedValue(sort: string, value: SharedValue, idColumn: string, p: Params & Place): Ordering {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const beyond = sql.raw(direction === 'desc' ? '<' : '>')
  const by = value.by ?? sql.ref(value.column)
  const id = sql.ref(idColumn)
  const { halves, nullable } = value
  const halvesRead = halves && p[halves.chosenBy] === undefined ? [true, false] : [undefined]

  const halfOf = (rows: Builder, half: boolean | undefined) =>
    half === undefined ? rows : rows.where(sql<boolean>`${sql.ref(halves!.column)} = ${sql.lit(half)}`)
  const having = (rows: Builder) => {
    const valued = nullable ? rows.where(sql<boolean>`${by} is not null`) : rows
    const wanted = nullable?.having?.(valued, p) ?? valued
    if (p.behindId === undefined) return wanted
    return wanted.where(sql<boolean>`(${by}, ${id}) ${beyond} (${p.behindValue}, ${p.behindId})`)
  }
  const lacking = (rows: Builder) => {
    const wanted = rows.where(sql<boolean>`${by} is null`)
    const isAmong = p.behindId !== undefined && p.behindValue === undefined
    return isAmong ? wanted.where(sql<boolean>`${id} ${beyond} ${p.behindId}`) : wanted
  }
  const isPastValues = p.behindId !== undefined && p.behindValue === undefined
  const kinds = [...(isPastValues ? [] : [having]), ...(nullable ? [lacking] : [])]

  const ordered = (rows: Builder) => rows.orderBy(by, direction).orderBy(idColumn, direction)
  const merge = (rows: Builder) => {
    const valuesFirst = nullable ? rows.orderBy(sql`${by} is null`) : rows
    return ordered(valuesFirst)
  }
  return {
    columns: [value.column],
    merge,
    inOrder(rows, most) {
      const parts = halvesRead.flatMap((half) => kinds.map((kind) => ordered(kind(halfOf(rows, half)))))
      return parts.length === 1 ? parts[0]! : merge(union(parts, idColumn, most)).limit(most)
    },
  }
}

/** All rows of some queries, the first ones of each, under the name of their table. */
function union(parts: Builder[], idColumn: string, most: RawBuilder<number> | number): Builder {
  const table = tableOf(idColumn)
  const [first, ...others] = parts.map((part) => cold.selectFrom(part.limit(most).as('part')).selectAll() as Builder)
  const all = others.reduce((sum, part) => sum.unionAll(part), first!)
  return cold.selectFrom(all.as(table)).selectAll() as Builder
}

/**
 * The keys of the first rows of groups in one order: the id, and what orders it. Each group is asked for a few rows,
 * about the square root of what is wanted. Only a group of which all of them are among the first is asked for more, so
 * the cost grows with the number of groups, and not with what they hold.
 */
export function mergeGroups(
  keys: Builder,
  groups: Builder,
  { column, idColumn }: { column: string; idColumn: string },
  { inOrder, merge, columns }: Ordering,
  most: RawBuilder<number>,
): Builder {
  const table = tableOf(column)
  const few = sql<number>`ceil(sqrt(${most}))::integer`
  const ofGroup = keys.where(sql<boolean>`${sql.ref(column)} = ${sql.ref('groups.id')}`)
  const firstOf = (some: Builder, wanted: RawBuilder<number>) =>
    cold
      .selectFrom(some.as('groups'))
      .innerJoinLateral(inOrder(ofGroup, wanted).limit(wanted).as(table), (join) => join.onTrue())
      .selectAll(table as never) as Builder

  const page = (cold as Kysely<any>)
    .with('candidates', () => firstOf(groups, few).select('groups.id as groupId'))
    .with('best', (db) => merge(db.selectFrom(`candidates as ${table}`).selectAll() as Builder).limit(most))
    .with('busy', (db) =>
      db
        .selectFrom('best')
        .select('best.groupId as id')
        .groupBy('best.groupId')
        .having(sql<boolean>`count(*) = ${few}`),
    )
    .with('rest', (db) => firstOf(db.selectFrom('busy').selectAll() as Builder, most))
    .with('found', (db) =>
      db
        .selectFrom(`best as ${table}`)
        .select([idColumn, ...columns])
        .where(`${table}.groupId`, 'not in', (eb: any) => eb.selectFrom('busy').select('busy.id'))
        .unionAll(db.selectFrom('rest').selectAll() as never),
    )
    .selectFrom(`found as ${table}`)
    .select([idColumn, ...columns])
  return merge(page as unknown as Builder).limit(most)
}

/** Some rows of groups in no order, to count them. */
export function anyOfGroups(rows: Builder, groups: Builder, column: string, most: RawBuilder<number>): Builder {
  const table = tableOf(column)
  const ofGroup = rows.where(sql<boolean>`${sql.ref(column)} = ${sql.ref('groups.id')}`)
  return cold
    .selectFrom(groups.as('groups'))
    .innerJoinLateral(ofGroup.limit(most).as(table), (join) => join.onTrue()) as unknown as Builder
}

/** A row as `Link` names it: its id, and its value if it has one. */
const PLACE = /^([1-9]\d{0,15})(?::(.*))?$/s

/** The parameters that the name of a row stands for. @throws VALIDATION_FAILED */
export function placeOf({ sort, behind }: Pick<PageRequest, 'sort' | 'behind'>, sorts: Sorts): Place {
  const shared = sharedOf(sort, sorts)
  if (!shared || behind === undefined) return {}
  const [, id, written] = PLACE.exec(behind) ?? []
  if (id === undefined || (written === undefined && !shared.nullable)) throw notAPlace()
  if (written === undefined) return { behindId: Number(id) }
  const behindValue = shared.read(written) ?? fail(notAPlace())
  return { behindId: Number(id), behindValue }
}

const notAPlace = () => faults.validation([{ path: 'query.behind', message: 'is not valid' }])

/**
 * A list that was requested in an order other than that of its ids continues after its last row, by the value of the
 * field that orders it.
 */
export function nextInOrder(rows: object[], sort: string, sorts: Sorts): Next {
  const field = fieldOf(sort)!
  const { id, [field]: value } = rows.at(-1) as { id: number; [field: string]: unknown }
  if (!sharedOf(sort, sorts)) return { behind: String(value) }
  return { behind: value === null ? `${id}` : `${id}:${value}` }
}

export function tableOf(column: string): string {
  return column.slice(0, column.indexOf('.'))
}
