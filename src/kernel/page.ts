import { z } from 'zod'
import { faults } from './fault.ts'
import { bounded, IdInPath } from './zod.ts'

const ARRAY = { default: 500, most: 1000 }
const DEEPEST = 100_000
/** So far rows are counted: an array says how many there are beside the rows, a Page is a table with numbered pages. */
const COUNTED = { array: 1000, page: 10_000 }
const MOST_PAGES = 999_999_999

/** The part of a list that was asked for. */
export interface PageRequest {
  limit: number
  offset: number
  /** keyset: only rows before this id, which in a list of the newest first are those that follow */
  before: number | undefined
  /** keyset: only rows after this id, which in a list of the oldest first are those that follow */
  after?: number | undefined
  /** was asked for by its number, so the list goes on by numbers; every other goes on at an id, and skips nothing */
  byPage?: boolean
  /** the total is wanted as well */
  counted: boolean
  /** so far rows are counted; by default 1000 */
  countTo?: number
  /** another order: a field, with a hyphen before it where the order is descending */
  sort?: string | undefined
  /** keyset in such an order: only rows that lie behind this value of its field */
  behind?: string | undefined
}

/** Where a list goes on: by the next page, below an id, above one, or behind a value of the field that orders it. */
export type Next = { page: number } | { before: number } | { after: number } | { behind: string }

/** Rows of one request. `total` is known where it was wanted; `next` says where to go on when more may follow. */
export interface Listing<Row> {
  rows: Row[]
  total: number | undefined
  /** there are more than `total`: counting further would cost the more, the longer the list has grown */
  isMoreThanTotal?: boolean
  next: Next | undefined
  request: PageRequest
  /** it holds fewer rows than were asked for, as they are long */
  cut: boolean
}

const arrayFields = {
  page: bounded(1, MOST_PAGES).optional().describe('With `page` or `pageSize`, the response has `X-Total-Count`'),
  pageSize: bounded(1, ARRAY.most).optional().describe('By default all rows, up to 500, or up to 200 operations'),
  before: IdInPath.optional().describe('Only rows before this id: walks a growing feed at constant cost'),
  after: IdInPath.optional().describe('Only rows after this id, which are newer'),
}
const pageFields = {
  page: bounded(1, MOST_PAGES, 1).default(1),
  pageSize: bounded(1, 100, 10).default(10),
}

/** Query of an array list: `page`, `pageSize`, `before` and `after` beside its filters. */
export function arrayQuery<Filters extends z.core.$ZodLooseShape>(filters: Filters) {
  return z.object({ ...arrayFields, ...absentIfBlank(filters) })
}

/**
 * The orders that a list can be asked for in, up and down: by its ids, and by these fields. Each is unique in a tenant,
 * and an index serves it.
 */
export function sortBy<const Field extends string>(fields: readonly Field[] = []) {
  const orders = (['id', ...fields] as const).flatMap((field) => [field, `-${field}`] as const)
  return z.enum(orders).optional().describe('Order by this field; with a leading hyphen, in descending order')
}

/** The same for an array list, which goes on behind the last value. */
export function sortedBy<const Field extends string>(fields: readonly Field[]) {
  const behind = z.string().max(255).optional().describe('Only rows after this value of the field that `sort` names')
  return { sort: sortBy(fields), behind }
}

/** Forms send their empty fields along: a filter that is blank is absent. */
export function absentIfBlank<Filters extends z.core.$ZodLooseShape>(filters: Filters): Filters {
  const lenient = (filter: z.ZodType) => z.preprocess((given) => (given === '' ? undefined : given), filter)
  return Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, lenient(filter)])) as Filters
}

type Sorted = Pick<PageRequest, 'sort' | 'behind'>

/** The request that an array query asks for. */
export function pageRequestOf(
  query: { [field in 'page' | 'pageSize' | 'before' | 'after']?: number | undefined } & Sorted,
  size = ARRAY.default,
): PageRequest {
  const { page, pageSize, before, after, sort, behind } = query
  const limit = pageSize ?? size
  const isKeyed = (before ?? after ?? behind) !== undefined
  return {
    limit,
    offset: isKeyed ? 0 : ((page ?? 1) - 1) * limit,
    before,
    after,
    byPage: page !== undefined && !isKeyed,
    counted: page !== undefined || pageSize !== undefined,
    sort,
    behind,
  }
}

/** Query of the Page shape: `page` from 1, `pageSize` from 1 to 100. */
export function pageQuery<Filters extends z.core.$ZodLooseShape>(filters: Filters) {
  return z.object({ ...pageFields, ...absentIfBlank(filters) })
}

/** The request that a query of the Page shape asks for: always counted. */
export function numberedPageRequest({
  page,
  pageSize,
  sort,
}: { page: number; pageSize: number } & Pick<PageRequest, 'sort'>): PageRequest {
  const byPage = { before: undefined, after: undefined, byPage: true }
  return { limit: pageSize, offset: (page - 1) * pageSize, ...byPage, counted: true, countTo: COUNTED.page, sort }
}

/** How far the rows of a request are counted. */
export function boundOf({ countTo = COUNTED.array }: PageRequest): number {
  return countTo
}

/**
 * The total of a listing, of so many rows that were counted, at most one more than the bound. Where it is beyond that, the
 * total is what is certain: the bound, or all up to the rows of this request and those that follow.
 */
export function totalOf(
  request: PageRequest,
  { counted, rows, more }: { counted: number; rows: number; more: boolean },
): Pick<Listing<never>, 'total' | 'isMoreThanTotal'> {
  const bound = boundOf(request)
  if (counted <= bound) return { total: counted }
  return { total: Math.max(bound, request.offset + rows + (more ? 1 : 0)), isMoreThanTotal: true }
}

/** Pages so deep that skipping to them would hurt everybody are refused. */
export function assertShallow(request: PageRequest): void {
  if (isTooDeep(request.offset)) throw faults.pageTooDeep()
}

/** So many rows are not skipped; a list that is longer goes on below an id. */
export function isTooDeep(offset: number): boolean {
  return offset > DEEPEST
}

/** The Page shape of a view. */
export function pageOf<View extends z.ZodType>(view: View) {
  return z.object({ items: z.array(view), page: z.number().int(), pageSize: z.number().int(), total: z.number().int() })
}

/** A counted listing in the Page shape. */
export function toPage<Row>({ rows, total, request }: Listing<Row>) {
  return { items: rows, page: request.offset / request.limit + 1, pageSize: request.limit, total: total ?? 0 }
}
