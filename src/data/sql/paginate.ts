import { type SelectQueryBuilder, sql } from 'kysely'
import { assertShallow, isTooDeep, type Listing, type Next, type PageRequest } from '../../kernel/page.ts'
import type { Scope } from '../tx/scope.ts'
import { cold } from './compile.ts'
import { directory, type From, type FromShared, list } from './verbs.ts'

type Builder<O> = SelectQueryBuilder<any, any, O>
type Build<P, O> = (from: From, p: P) => Builder<O>
type Paged<P> = P & { limit: number; offset?: number; before?: number; after?: number; counted?: true }
type Paginated<P, O> = (scope: Scope, params: P, request: PageRequest) => Promise<Listing<O>>
type Order = 'newest' | 'oldest'
/** The fields that a list can be sorted by, with their columns; each must be served by an index. */
type Sorts = Readonly<Record<string, string>>

/**
 * A list that is read by windows: page and total are one statement, and one row more than the page tells whether more
 * follow. The order is the id's, which is the order of creation; `newest` first, or `oldest` first for conversations
 * (where `before` gives the last rows before that id, still ascending). An order of the builder's own comes before it.
 * The total is that of the whole list, however the request lies. A request may name another order of `sorts`.
 */
export function paginate<P extends object, O extends object>(
  build: Build<P, O>,
  idColumn: string,
  first: Order = 'newest',
  sorts: Sorts = {},
): Paginated<P, O> {
  return paginateBy(list, build, idColumn, first, sorts)
}

/** The same over the shared tables. */
export function paginateShared<P extends object, O extends object>(
  build: (from: FromShared, p: P) => Builder<O>,
  idColumn: string,
): Paginated<P, O> {
  return paginateBy(directory.list as never, build as never, idColumn, 'newest', {})
}

function paginateBy<P extends object, O extends object>(
  verb: typeof list,
  build: Build<P, O>,
  idColumn: string,
  first: Order,
  sorts: Sorts,
): Paginated<P, O> {
  const declare = (sort: string | undefined) =>
    verb<Paged<P>, O & { total?: number }>((from, p) => {
      const all = build(from, p) as Builder<any>
      const part = between(all, p, idColumn)
      const backwards = first === 'newest' || p.before !== undefined
      const ordered = sort === undefined ? part.orderBy(idColumn, backwards ? 'desc' : 'asc') : sorted(part, sort)
      return cutOut(ordered, all, p)
    })
  const sorted = (part: Builder<any>, sort: string) => {
    const column = sorts[sort.replace(/^-/, '')]
    if (column === undefined) throw new Error(`A list is not sorted by ${sort}: name its column where it is declared`)
    const direction = sort.startsWith('-') ? 'desc' : 'asc'
    const ordered = part.clearOrderBy().orderBy(column, direction)
    return column === idColumn ? ordered : ordered.orderBy(idColumn, direction)
  }
  /** Each order is a statement of its own. */
  const inOrder = new Map([[undefined as string | undefined, declare(undefined)]])
  const rowsIn = (sort: string | undefined) => {
    const known = inOrder.get(sort) ?? declare(sort)
    inOrder.set(sort, known)
    return known
  }
  const total = verb<P, { total: number }>((from, p) => countOf(build(from, p) as Builder<any>))

  return async (scope, params, request) => {
    assertShallow(request)
    const found = await rowsIn(request.sort)(scope, { ...params, ...paramsOf(request) })
    const { rows, more } = pageOf(found, request)
    const counted = await totalOf(found, request, async () => (await total(scope, params))[0]!.total)
    if (first === 'oldest' && request.before && request.sort === undefined) rows.reverse()
    return { rows, total: counted, next: more ? nextOf(rows, request, first) : undefined, request }
  }
}

/** How many rows a search looks at before it answers with what it has found. */
const REACH = 100_000

/**
 * A search, newest first, by what no index serves: among the rows that `within` yields, and an index leads to, it looks
 * at those that `isWanted` keeps, and at no more than the newest 100 000. Where they hold less than a page, the listing
 * says where to go on; so a search for what is rare costs the same however long the list has grown. The total counts
 * what was found among the newest 100 000 of the list.
 *
 * @param table what the columns of `within` go by in `isWanted`
 */
export function paginateSearch<P extends object, O extends object>(
  within: Build<P, O>,
  isWanted: (found: Builder<O>, p: P) => Builder<O>,
  table: string,
): Paginated<P, O> {
  const idColumn = `${table}.id`
  const newest = (from: From, p: P) => (within(from, p) as Builder<any>).orderBy(idColumn, 'desc')
  const reach = (rows: Builder<any>, p: P) =>
    isWanted(cold.selectFrom(rows.limit(sql.lit(REACH)).as(table)).selectAll() as Builder<any>, p) as Builder<any>

  const rowsOf = list<Paged<P>, O & { total?: number }>((from, p) => {
    const all = newest(from, p)
    return cutOut(reach(between(all, p, idColumn), p).orderBy(idColumn, 'desc'), reach(all, p), p)
  })
  const total = list<P, { total: number }>((from, p) => countOf(reach(newest(from, p), p)))
  const endOfReach = list<Paged<P>, { id: number }>((from, p) => {
    const all = newest(from, p).clearSelect().select(idColumn)
    return between(all, p, idColumn)
      .offset(sql.lit(REACH - 1))
      .limit(sql.lit(1))
  })

  return async (scope, params, request) => {
    assertShallow(request)
    const found = await rowsOf(scope, { ...params, ...paramsOf(request) })
    const { rows, more } = pageOf(found, request)
    const counted = await totalOf(found, request, async () => (await total(scope, params))[0]!.total)
    if (more) return { rows, total: counted, next: nextOf(rows, request, 'newest'), request }
    const [end] = await endOfReach(scope, { ...params, ...edgesOf(request) } as Paged<P>)
    return { rows, total: counted, next: end && { before: end.id }, request }
  }
}

/** The rows between the ids that a request names. */
function between<P>(rows: Builder<any>, p: Paged<P>, idColumn: string): Builder<any> {
  const below = p.before === undefined ? rows : rows.where(idColumn, '<', p.before)
  return p.after === undefined ? below : below.where(idColumn, '>', p.after)
}

/** The request's part of a query, with the total of `all` beside each row where it is wanted. */
function cutOut<P>(query: Builder<any>, all: Builder<any>, p: Paged<P>): Builder<any> {
  let part = query.limit(p.limit)
  if (p.offset !== undefined) part = part.offset(p.offset)
  if (p.counted !== undefined) part = part.select(() => countOf(all).as('total'))
  return part
}

/** What a request sends, each only where it makes a difference: every set of them is a statement of its own. */
function paramsOf(request: PageRequest) {
  return {
    limit: request.limit + 1,
    ...(request.offset > 0 && { offset: request.offset }),
    ...edgesOf(request),
    ...(request.counted && { counted: true as const }),
  }
}

function edgesOf({ before, after }: PageRequest) {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

/** One row more than the request holds was asked for, to see whether more follow. */
function pageOf<Row>(found: Row[], request: PageRequest): { rows: Row[]; more: boolean } {
  const more = found.length > request.limit
  return { rows: more ? found.slice(0, request.limit) : found, more }
}

/** The total came with the rows; where there are none, it is asked for, unless the list must be empty. */
async function totalOf(
  found: { total?: number }[],
  request: PageRequest,
  count: () => Promise<number>,
): Promise<number | undefined> {
  if (!request.counted) return undefined
  if (found[0]) return found[0].total!
  return request.offset === 0 && request.before === undefined && request.after === undefined ? 0 : count()
}

/**
 * A list that was asked for by the number of a page goes on by numbers, as far as these reach; every other goes on at
 * the last id, so that what comes and goes meanwhile makes it neither skip nor repeat.
 */
function nextOf(rows: object[], request: PageRequest, first: Order): Next {
  if (request.sort !== undefined || (request.byPage && !isTooDeep(request.offset + request.limit)))
    return { page: request.offset / request.limit + 2 }
  const ids = rows.map((row) => (row as { id: number }).id)
  return first === 'newest' || request.before !== undefined ? { before: Math.min(...ids) } : { after: Math.max(...ids) }
}

function countOf(all: Builder<any>): Builder<{ total: number }> {
  return all
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'))
}
