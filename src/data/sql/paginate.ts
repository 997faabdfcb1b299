import { type SelectQueryBuilder, sql } from 'kysely'
import { assertShallow, isTooDeep, type Listing, type Next, type PageRequest } from '../../kernel/page.ts'
import type { Scope } from '../tx/scope.ts'
import { cold } from './compile.ts'
import { directory, type From, type FromShared, list } from './verbs.ts'
import { isEndless, type LongColumns, leftOut, withinBytes } from './within-bytes.ts'

type Builder<O> = SelectQueryBuilder<any, any, O>
type Build<P, O> = (from: From, p: P) => Builder<O>
type Paged<P> = P & {
  limit: number
  offset?: number
  before?: number
  after?: number
  behind?: string
  counted?: true
  large?: true
}
type Paginated<P, O> = (scope: Scope, params: P, request: PageRequest) => Promise<Listing<O>>
type Order = 'newest' | 'oldest'
/** The fields that a list can be sorted by beside its id, with their columns: unique in a tenant, and served by an index. */
type Sorts = Readonly<Record<string, string>>

/**
 * A list that is read by windows: page and total are one statement, and one row more than the page tells whether more
 * follow. The order is the id's, which is the order of creation; `newest` first, or `oldest` first for conversations
 * (where `before` gives the last rows before that id, still ascending). An order of the builder's own comes before it.
 * The total is that of the whole list, however the request lies. A request may name another order of `sorts`. Where `long`
 * columns would be too many bytes, a window holds fewer rows than were asked for, and an array list goes on behind them.
 */
export function paginate<P extends object, O extends object>(
  build: Build<P, O>,
  idColumn: string,
  first: Order = 'newest',
  more: { sorts?: Sorts; long?: LongColumns } = {},
): Paginated<P, O> {
  return paginateBy(list, build, idColumn, first, more)
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
  { sorts = {}, long }: { sorts?: Sorts; long?: LongColumns },
): Paginated<P, O> {
  const declare = (sort: string | undefined) =>
    verb<Paged<P>, O & { total?: number }>((from, p) => {
      const all = build(from, p) as Builder<any>
      const window = cutOut(inOrder(between(all, p, idColumn), sort, p), all, p)
      return long && (p.large !== undefined || isEndless(long)) ? withinBytes(window, long) : window
    })
  const inOrder = (part: Builder<any>, sort: string | undefined, p: Paged<P>) => {
    const bare = sort === undefined ? part : part.clearOrderBy()
    const field = fieldOf(sort)
    if (field === undefined) {
      const isBackwards = orderOf(sort, first) === 'newest' || p.before !== undefined
      return bare.orderBy(idColumn, isBackwards ? 'desc' : 'asc')
    }
    const column = sorts[field]
    if (column === undefined) throw new Error(`A list is not sorted by ${field}: name its column where it is declared`)
    const isDescending = sort!.startsWith('-')
    const rest = p.behind === undefined ? bare : bare.where(column, isDescending ? '<' : '>', p.behind)
    return rest.orderBy(column, isDescending ? 'desc' : 'asc')
  }
  /** Each order is a statement of its own. */
  const statements = new Map([[undefined as string | undefined, declare(undefined)]])
  const rowsIn = (sort: string | undefined) => {
    const rowsOf = statements.get(sort) ?? declare(sort)
    statements.set(sort, rowsOf)
    return rowsOf
  }
  const total = verb<P, { total: number }>((from, p) => countOf(build(from, p) as Builder<any>))

  return async (scope, params, request) => {
    assertShallow(request)
    const large = long !== undefined && request.limit > LARGEST_OF_MANY
    const asked = { ...params, ...paramsOf(request), ...(large && { large: true as const }) }
    const found = await rowsIn(request.sort)(scope, asked)
    const { rows, more } = pageOf(found, request)
    const counted = await totalOf(found, request, async () => (await total(scope, params))[0]!.total)
    const order = orderOf(request.sort, first)
    if (order === 'oldest' && request.before && !fieldOf(request.sort)) rows.reverse()
    const cut = rows.length < request.limit && leftOut(found) > 0
    const goesOn = more || leftOut(found) > 0
    const next = goesOn ? nextOf(rows, { ...request, byPage: request.byPage && !cut }, order) : undefined
    return { rows, total: counted, next, request, cut }
  }
}

/** So many rows with long texts are no large answer: what the fields may hold bounds them, and they are read many at a time. */
const LARGEST_OF_MANY = 100

/** The field that an order goes by, where it is not the id. */
function fieldOf(sort: string | undefined): string | undefined {
  const field = sort?.replace(/^-/, '')
  return field === 'id' ? undefined : field
}

function orderOf(sort: string | undefined, first: Order): Order {
  return sort === 'id' ? 'oldest' : sort === '-id' ? 'newest' : first
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
    if (more) return { rows, total: counted, next: nextOf(rows, request, 'newest'), request, cut: false }
    const [end] = await endOfReach(scope, { ...params, ...edgesOf(request) } as Paged<P>)
    return { rows, total: counted, next: end && { before: end.id }, request, cut: false }
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

function edgesOf({ before, after, behind }: PageRequest) {
  return {
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(behind !== undefined && { behind }),
  }
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
  return request.offset === 0 && Object.keys(edgesOf(request)).length === 0 ? 0 : count()
}

/**
 * A list that was asked for by the number of a page goes on by numbers, as far as these reach; every other goes on at
 * the last id, or behind the last value of the field that orders it, so that what comes and goes meanwhile makes it
 * neither skip nor repeat.
 */
function nextOf(rows: object[], request: PageRequest, order: Order): Next {
  if (request.byPage && !isTooDeep(request.offset + request.limit)) return { page: request.offset / request.limit + 2 }
  const field = fieldOf(request.sort)
  if (field !== undefined) return { behind: String((rows.at(-1) as Record<string, unknown>)[field]) }
  const ids = rows.map((row) => (row as { id: number }).id)
  return order === 'newest' || request.before !== undefined ? { before: Math.min(...ids) } : { after: Math.max(...ids) }
}

function countOf(all: Builder<any>): Builder<{ total: number }> {
  return all
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'))
}
