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
  /** the number it was asked for by, so the list goes on by numbers; every other goes on at an id, and skips nothing */
  page?: number | undefined
  /** keyset: only rows before this id, which in a list of the newest first are those that follow */
  before: number | undefined
  /** keyset: only rows after this id, which in a list of the oldest first are those that follow */
  after?: number | undefined
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
  page: bounded(1, MOST_PAGES)
    .optional()
    .describe(
      'With `page` or `pageSize`, the response has `X-Total-Count`. Page 2 begins after the last row of page 1, and so on',
    ),
  pageSize: bounded(1, ARRAY.most).optional().describe('By default all rows, up to 500, or up to 200 operations'),
  before: IdInPath.optional().describe('Only rows before this id: walks a growing feed at constant cost'),
  after: IdInPath.optional().describe('Only rows after this id, which are newer'),
}
const pageFields = {
  page: bounded(1, MOST_PAGES, 1).default(1).describe('Page 2 begins after the last row of page 1, and so on'),
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
    page: isKeyed ? undefined : page,
    before,
    after,
    counted: page !== undefined || pageSize !== undefined,
    sort,
    behind,
  }
}

/** Query of the Page shape: `page` from 1, `pageSize` from 1 to 100. */
export function pageQuery<Filters extends z.core.$ZodLooseShape>(filters: Filters) {
  return z.object({ ...pageFields, ...absentIfBlank(filters) })
}

/** The same of a list that can also be walked by its ids: without `page`, its `Link` goes on at an id and repeats nothing. */
export function walkedPageQuery<Filters extends z.core.$ZodLooseShape>(filters: Filters) {
  const { before, after } = arrayFields
  const page = bounded(1, MOST_PAGES, 1)
    .optional()
    .describe('By default 1. Without it, `Link` leads on by `before`, which repeats no row when others are added')
  return z.object({ ...pageFields, page, before, after, ...absentIfBlank(filters) })
}

/** The request that a query of the Page shape asks for: always counted. */
export function numberedPageRequest(
  query: { pageSize: number } & { [field in 'page' | 'before' | 'after']?: number | undefined } & Sorted,
): PageRequest {
  return { ...pageRequestOf(query), counted: true, countTo: COUNTED.page }
}

/** How far the rows of a request are counted. */
export function boundOf({ countTo = COUNTED.array }: PageRequest): number {
  return countTo
}

/** The total of a listing, of so many rows that were counted: at most one more than the bound, which is then the total. */
export function totalOf(request: PageRequest, counted: number): Pick<Listing<never>, 'total' | 'isMoreThanTotal'> {
  const bound = boundOf(request)
  return counted <= bound ? { total: counted } : { total: bound, isMoreThanTotal: true }
}

/** How many rows come before a page, if each page holds as many as were asked for. */
export function rowsBefore({ page = 1, limit }: Pick<PageRequest, 'page' | 'limit'>): number {
  return (page - 1) * limit
}

/** Pages so deep that skipping to them would hurt everybody are refused. */
export function assertShallow(request: PageRequest): void {
  if (isTooDeep(rowsBefore(request))) throw faults.pageTooDeep()
}

/** So many rows are not skipped; a list that is longer goes on below an id. */
export function isTooDeep(rows: number): boolean {
  return rows > DEEPEST
}

/** The Page shape of a view. */
export function pageOf<View extends z.ZodType>(view: View) {
  return z.object({ items: z.array(view), page: z.number().int(), pageSize: z.number().int(), total: z.number().int() })
}

/** A counted listing in the Page shape. */
export function toPage<Row>({ rows, total, request }: Listing<Row>) {
  return { items: rows, page: request.page ?? 1, pageSize: request.limit, total: total ?? 0 }
}
