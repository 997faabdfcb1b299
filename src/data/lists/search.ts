import { sql } from 'kysely'
import { assertShallow, boundOf } from '../../kernel/page.ts'
import { cold } from '../sql/compile.ts'
import { type From, list } from '../sql/verbs.ts'
import { type Builder, halvesOf, type Order, type Sorts } from './orders.ts'
import {
  type Build,
  between,
  type Counted,
  type Counting,
  listingOf,
  type Paged,
  type Paginated,
  paginate,
  WHOLE,
} from './paginate.ts'
import { countOf, cutOut, withTotal } from './windows.ts'
import {
  edgesOf,
  type LongColumns,
  paramsOf,
  startOfPage,
  type Weights,
  weightsOf,
  withinBytes,
} from './within-bytes.ts'

export interface SearchOptions {
  first?: Order
  /** a column that orders the rows before their ids do, descending */
  latest?: string
  long?: LongColumns
}

/** How many rows a search examines before it answers with what it has found. */
const REACH = 100_000

/**
 * A search that no index serves. It examines the first 100 000 rows of `within`, which an index serves, in their order,
 * and shows those that `isWanted` keeps. If these are fewer than a page, the listing says where to continue, so
 * searching for something rare costs the same however long the list is. The total counts what was found among the first
 * 100 000 of the list, and says whether there are more. Expensive columns of shown rows are selected by `isWanted`. An
 * order of the builder comes before the id's.
 *
 * @param table what the columns of `within` are called in `isWanted`
 * @param options `costly`: the parameters that make it costly, by default any
 */
export function paginateSearch<W extends object, P extends object, O extends object>(
  within: Build<any, W>,
  isWanted: (found: Builder<W>, p: P, from: From) => Builder<O>,
  table: string,
  { first = 'newest', latest, long, costly = true }: SearchOptions & { costly?: true | readonly (keyof P)[] } = {},
): Paginated<P, O> {
  const idColumn = `${table}.id`
  const inOrder = (rows: Builder<any>, p: Partial<Paged<P>>) => {
    const backwards = first === 'newest' || p.before !== undefined
    const sorted = latest === undefined ? rows : rows.orderBy(latest, 'desc')
    return sorted.orderBy(idColumn, backwards ? 'desc' : 'asc')
  }
  const rowsOfList = (from: From, p: Partial<Paged<P>>) =>
    inOrder(within(from, { ...p, most: sql.lit(REACH + 1) }) as Builder<any>, p)
  const reach = (rows: Builder<any>, p: P, from: From) =>
    isWanted(cold.selectFrom(rows.limit(sql.lit(REACH)).as(table)).selectAll() as Builder<any>, p, from) as Builder<any>

  const beyond = (from: From, p: P) => {
    const next = rowsOfList(from, { ...p, ...WHOLE })
      .clearSelect()
      .select(idColumn)
    return sql<boolean>`exists (${next.offset(sql.lit(REACH)).limit(sql.lit(1))})`.as('beyond')
  }

  const rowsOf = list<Paged<P>, O & Counted>(
    (from, p) => {
      const all = reach(rowsOfList(from, { ...p, ...WHOLE }), p, from)
      const rows = inOrder(reach(between(rowsOfList(from, p), p, idColumn), p, from), p)
      const part = withTotal(cutOut(rows, p), all, p)
      const window = p.countTo === undefined ? part : part.select(beyond(from, p))
      return long && p.weighed !== undefined ? withinBytes(window, long, from) : window
    },
    { costly, large: ['large'] },
  )
  const weightsOfList = list<Counting<P>, Weights>(
    (from, p) => weightsOf(inOrder(reach(rowsOfList(from, p), p, from), p).limit(p.countTo), long!),
    { costly },
  )
  const total = list<Counting<P>, Required<Counted>>(
    (from, p) => countOf(reach(rowsOfList(from, p), p, from), p.countTo).select(beyond(from, p)),
    { costly },
  )
  const endOfReach = list<Partial<Paged<P>>, { id: number }>(
    (from, p) =>
      between(rowsOfList(from, p).clearSelect().select(idColumn), p as Paged<P>, idColumn)
        .offset(sql.lit(REACH - 1))
        .limit(sql.lit(1)),
    { costly },
  )

  return async (scope, params, request) => {
    assertShallow(request)
    const start = await startOfPage(request, long, (countTo) => weightsOfList(scope, { ...params, countTo }))
    const found = await rowsOf(scope, { ...params, ...paramsOf(request, start, long) })
    const counts: Counted =
      found[0] ?? (request.counted ? (await total(scope, { ...params, countTo: boundOf(request) + 1 }))[0]! : {})
    const listing = {
      ...listingOf<O>(found, counts.total, request, first),
      ...(counts.beyond && { isMoreThanTotal: true }),
    }
    if (listing.next) return listing
    // The whole list was examined, so it ends here.
    if (request.counted && !counts.beyond) return listing
    const [end] = await endOfReach(scope, { ...params, ...edgesOf(request) } as Partial<Paged<P>>)
    const isBackwards = first === 'newest' || request.before !== undefined
    return { ...listing, next: end && (isBackwards ? { before: end.id } : { after: end.id }) }
  }
}

interface FilterOptions<P> {
  /** what makes it a search: no index serves them, or none serves these together */
  filters: readonly (keyof P | readonly (keyof P)[])[]
  /** those of them that compare texts with a pattern */
  costly?: readonly (keyof P)[]
  sorts?: Sorts
}

/** A list, and the search in it: with one of the filters, it is a search as above. */
export function paginateOrSearch<W extends object, P extends object, O extends object>(
  within: Build<any, W>,
  isWanted: (found: Builder<W>, p: P, from: From) => Builder<O>,
  table: string,
  { filters, costly = [], sorts, ...options }: SearchOptions & FilterOptions<P>,
): Paginated<P, O> {
  const { first, latest, long } = options
  const isFiltered = (params: P) =>
    filters.some((names) => ([names].flat() as (keyof P)[]).every((name) => params[name] !== undefined))
  const listed = paginate<P, O>(
    (from, p) => {
      const rows = within(from, isFiltered(p) ? { ...p, most: sql.lit(REACH + 1) } : p)
      const shown = isWanted(rows, p, from)
      return latest === undefined ? shown : shown.orderBy(latest, 'desc')
    },
    `${table}.id`,
    first,
    { sorts, long, costly },
  )
  // A search examines rows by their ids, in no order whose index has halves.
  const unhalved = Object.fromEntries(halvesOf(sorts).map((chosenBy) => [chosenBy, undefined]))
  const isFound = (found: Builder<W>, p: P, from: From) => isWanted(found, { ...p, ...unhalved }, from)
  const searched = paginateSearch<W, P, O>(within, isFound, table, { ...options, costly })
  return async (scope, params, request) => {
    // In another order the first wanted rows may be anywhere: the time limit of a costly read bounds that.
    const read = isFiltered(params) && request.sort === undefined ? searched : listed
    const listing = await read(scope, params, request)
    // An id does not say where a list continues that another column orders.
    const isLost = latest !== undefined && listing.next !== undefined && !('page' in listing.next)
    return isLost ? { ...listing, next: undefined } : listing
  }
}
