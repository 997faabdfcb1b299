import type { RawBuilder } from 'kysely'
import {
  assertShallow,
  boundOf,
  isTooDeep,
  type Listing,
  type Next,
  type PageRequest,
  rowsBefore,
  totalOf,
} from '../../kernel/page.ts'
import { directory, type From, type FromShared, list } from '../sql/verbs.ts'
import type { Scope } from '../tx/scope.ts'
import {
  anyOfGroups,
  type Builder,
  bySharedValue,
  fieldOf,
  type Groups,
  mergeGroups,
  nextInOrder,
  type Order,
  type Ordering,
  orderOf,
  placeOf,
  type Sorts,
  sharedOf,
} from './orders.ts'
import { countOf, cutOut, lookUpEach, lookUpTogether, mostOf, type Window, withTotal } from './windows.ts'
import {
  edgesOf,
  type LongColumns,
  leftOut,
  paramsOf,
  startOfPage,
  type Weights,
  weightsOf,
  withinBytes,
} from './within-bytes.ts'

/** How far the rows of a list are read, for a builder that combines several sources. */
export interface Reading {
  most?: RawBuilder<number>
  before?: number
  after?: number
  ascending?: boolean
}
export type Build<P, O> = (from: From, p: P) => Builder<O>
export type Paged<P> = P &
  Window & {
    before?: number
    after?: number
    behind?: string
    countTo?: number
    weighed?: true
    large?: true
  }
export type Counting<P> = P & { countTo: number }
export type Paginated<P, O> = (scope: Scope, params: P, request: PageRequest) => Promise<Listing<O>>
export interface ListOptions<P> {
  sorts?: Sorts | undefined
  groups?: Groups | undefined
  long?: LongColumns | undefined
  /** the filters that no index serves */
  costly?: readonly (keyof P)[] | undefined
}
/** Selected beside each row if the total is wanted; in a search also whether the list continues beyond its reach. */
export interface Counted {
  total?: number
  beyond?: boolean
}

/**
 * A list that is read in windows: page and total are one statement, and one row more than the page shows whether more
 * follow. It is ordered by id, the order of creation: `newest` first, or `oldest` first for conversations (where
 * `before` returns the last rows before that id, still ascending). An order of the builder comes before it. The total
 * is that of the whole list, as far as it is counted. A request may name another order of `sorts`. If the `long`
 * columns would be too many bytes, a page holds fewer rows than requested, and the next one begins after them, by
 * number or by id.
 */
export function paginate<P extends object, O extends object>(
  build: Build<P, O>,
  idColumn: string,
  first: Order = 'newest',
  options: ListOptions<P> = {},
): Paginated<P, O> {
  return paginateBy(list, build, idColumn, first, options)
}

/** The same for the shared tables. */
export function paginateShared<P extends object, O extends object>(
  build: (from: FromShared, p: P) => Builder<O>,
  idColumn: string,
): Paginated<P, O> {
  return paginateBy(directory.list as never, build as never, idColumn, 'newest', {})
}

/** The list from its beginning to its end, whatever the request. */
export const WHOLE = { before: undefined, after: undefined }

function paginateBy<P extends object, O extends object>(
  verb: typeof list,
  build: Build<P, O>,
  idColumn: string,
  first: Order,
  { sorts = {}, groups, long, costly = [] }: ListOptions<P>,
): Paginated<P, O> {
  const wholeOf = (from: From, p: Counting<P>) => {
    const most = mostOf({ limit: p.countTo })
    const rows = build(from, { ...p, ...WHOLE, most }) as Builder<any>
    const all = groups?.of(from, p)
    return all
      ? anyOfGroups(rows, all, groups!.column, most)
      : rows.orderBy(idColumn, first === 'newest' ? 'desc' : 'asc')
  }
  const declare = (sort: string | undefined) =>
    verb<Paged<P>, O & { total?: number }>(
      (from, p) => {
        const ascending = !(orderOf(sort, first) === 'newest' || p.before !== undefined)
        const all = wholeOf(from, p as Counting<P>)
        const shown = build(from, { ...p, most: mostOf(p), ascending }) as Builder<any>
        const part = sharedOf(sort, sorts) ? shown : between(shown, p, idColumn)
        const window = withTotal(inOrder(from, part, sort, p, p), all, p)
        return long && p.weighed !== undefined ? withinBytes(window, long, from) : window
      },
      { costly, large: ['large'] },
    )
  const inOrder = (from: From, part: Builder<any>, sort: string | undefined, p: Paged<P>, window: Window) => {
    const ordering = orderingOf(sort, p)
    const bare = sort === undefined ? part : part.clearOrderBy()
    const all = groups?.of(from, p)
    const most = mostOf(window)
    if (!all && !window.far) return cutOut(ordering.inOrder(bare, most), window)
    const keys = bare.clearSelect().select([idColumn, ...ordering.columns])
    const sorted = all
      ? mergeGroups(keys, all, { column: groups!.column, idColumn }, ordering, most)
      : ordering.inOrder(keys, most)
    // Many rows are skipped by their keys, because each may show much that has to be looked up.
    if (window.far) return lookUpEach(cutOut(sorted, window), bare, idColumn)
    return cutOut(ordering.merge(lookUpTogether(sorted, bare, idColumn)), window)
  }
  const orderingOf = (sort: string | undefined, p: Paged<P>): Ordering => {
    const shared = sharedOf(sort, sorts)
    if (shared) return bySharedValue(sort!, shared, idColumn, p)
    const field = fieldOf(sort)
    if (field === undefined) {
      const isBackwards = orderOf(sort, first) === 'newest' || p.before !== undefined
      const byId = (rows: Builder<any>) => rows.orderBy(idColumn, isBackwards ? 'desc' : 'asc')
      return { columns: [], inOrder: byId, merge: byId }
    }
    const column = sorts[field] as string | undefined
    if (column === undefined) throw new Error(`A list is not sorted by ${field}: name its column where it is declared`)
    const isDescending = sort!.startsWith('-')
    const merge = (rows: Builder<any>) => rows.orderBy(column, isDescending ? 'desc' : 'asc')
    const after = (rows: Builder<any>) =>
      p.behind === undefined ? rows : rows.where(column, isDescending ? '<' : '>', p.behind)
    return { columns: [column], inOrder: (rows) => merge(after(rows)), merge }
  }
  const rowsIn = eachOrder(declare)
  const weightsIn = eachOrder((sort) =>
    verb<Counting<P>, Weights>(
      (from, p) => {
        const reading = { ...WHOLE, most: mostOf({ limit: p.countTo }), ascending: orderOf(sort, first) === 'oldest' }
        const rows = build(from, { ...p, ...reading }) as Builder<any>
        return weightsOf(inOrder(from, rows, sort, p as never, { limit: p.countTo }), long!)
      },
      { costly },
    ),
  )
  const total = verb<Counting<P>, { total: number }>((from, p) => countOf(wholeOf(from, p), p.countTo), { costly })

  return async (scope, params, request) => {
    assertShallow(request)
    const weigh = (countTo: number) => weightsIn(request.sort)(scope, { ...params, countTo })
    const start = await startOfPage(request, long, weigh)
    const edges = sharedOf(request.sort, sorts) ? { ...request, ...WHOLE, behind: undefined } : request
    const place = placeOf(request, sorts)
    const found = await rowsIn(request.sort)(scope, { ...params, ...paramsOf(edges, start, long), ...place })
    const counted = await countedOf(found, request, async (countTo) => (await total(scope, { ...params, countTo }))[0]!)
    return listingOf(found, counted, request, orderOf(request.sort, first), sorts)
  }
}

/** Each order is its own statement, declared when it is first requested. */
function eachOrder<Statement>(declare: (sort: string | undefined) => Statement) {
  const statements = new Map([[undefined as string | undefined, declare(undefined)]])
  return (sort: string | undefined): Statement => {
    const statement = statements.get(sort) ?? declare(sort)
    statements.set(sort, statement)
    return statement
  }
}

/**
 * The listing of the rows that were found: one more than the request holds shows that more follow, and long ones may have
 * been left out.
 * @param counted how many rows there are, if that was wanted
 */
export function listingOf<Row extends object>(
  found: Row[],
  counted: number | undefined,
  request: PageRequest,
  order: Order,
  sorts: Sorts = {},
): Listing<Row> {
  const rows = found.length > request.limit ? found.slice(0, request.limit) : found
  const isCut = leftOut(found) > 0
  const next = rows.length < found.length || isCut ? nextOf(rows, request, order, sorts) : undefined
  if (order === 'oldest' && request.before && !fieldOf(request.sort)) rows.reverse()
  const total = counted === undefined ? { total: undefined } : totalOf(request, counted)
  return { rows, ...total, next, cut: isCut && rows.length < request.limit, request }
}

/** The rows between the ids that a request names. */
export function between<P>(rows: Builder<any>, p: Paged<P>, idColumn: string): Builder<any> {
  const below = p.before === undefined ? rows : rows.where(idColumn, '<', p.before)
  return p.after === undefined ? below : below.where(idColumn, '>', p.after)
}

/** The count came with the rows; if there are none, it is read separately, unless the list must be empty. */
async function countedOf(
  found: { total?: number }[],
  request: PageRequest,
  count: (countTo: number) => Promise<{ total: number }>,
): Promise<number | undefined> {
  if (!request.counted) return undefined
  if (found[0]) return found[0].total!
  const isWhole = rowsBefore(request) === 0 && Object.keys(edgesOf(request)).length === 0
  return isWhole ? 0 : (await count(boundOf(request) + 1)).total
}

/**
 * A list that was requested by page number continues by numbers, as far as these reach; every other continues after the
 * last id, or after the last value of the field that orders it, so that concurrent changes make it neither skip nor
 * repeat.
 */
function nextOf(rows: object[], request: PageRequest, order: Order, sorts: Sorts): Next {
  const { page, limit, sort } = request
  if (page !== undefined && !isTooDeep(page * limit)) return { page: page + 1 }
  if (fieldOf(sort) !== undefined) return nextInOrder(rows, sort!, sorts)
  const ids = rows.map((row) => (row as { id: number }).id)
  return order === 'newest' || request.before !== undefined ? { before: Math.min(...ids) } : { after: Math.max(...ids) }
}
