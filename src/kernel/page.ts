import { z } from 'zod'
import { faults } from './fault.ts'
import { bounded, IdInPath } from './zod.ts'

const ARRAY = { default: 500, most: 1000 }
const DEEPEST = 100_000
/**
 * How far rows are counted: an array reports how many there are beside the rows, a Page is a table with numbered pages.
 */
const COUNTED = { array: 1000, page: 10_000 }
const MOST_PAGES = 999_999_999

/** The part of a list that was asked for. */
export interface PageRequest {
  limit: number
  /**
   * set if the client asked by number, so the list continues by numbers; otherwise it continues after an id, and skips
   * nothing
   */
  page?: number | undefined
  /** keyset: only rows before this id, which follow in a list of the newest first */
  before: number | undefined
  /** keyset: only rows after this id, which follow in a list of the oldest first */
  after?: number | undefined
  /** whether the total is wanted too */
  counted: boolean
  /** how far rows are counted; by default 1000 */
  countTo?: number
  /** another order: a field, with a leading hyphen if descending */
  sort?: string | undefined
  /** keyset in such an order: only rows after this value of its field, or after this row if rows can share a value */
  behind?: string | undefined
}

/** Where a list continues: on the next page, below an id, above one, or at a place in the order of a field. */
export type Next = { page: number } | { before: number } | { after: number } | { behind: string }

/** Rows of one request. `total` is set if it was wanted; `next` says where to continue if more may follow. */
export interface Listing<Row> {
  rows: Row[]
  total: number | undefined
  /** there are more than `total`: the cost of counting further grows with the list */
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
 * The orders that a list offers, ascending and descending: by its ids, and by these fields. Each field has an index.
 */
export function sortBy<const Field extends string>(fields: readonly Field[] = []) {
  const orders = (['id', ...fields] as const).flatMap((field) => [field, `-${field}`] as const)
  return z.enum(orders).optional().describe('Order by this field; with a leading hyphen, in descending order')
}

/** The same for a list that continues after its last row, whose place `Link` names. */
export function sortedBy<const Field extends string>(fields: readonly Field[]) {
  const behind = z.string().max(300).optional().describe('Only rows after this place in the order that `sort` names')
  return { sort: sortBy(fields), behind }
}

/** Forms send their empty fields too: a blank filter counts as absent. */
export function absentIfBlank<Filters extends z.core.$ZodLooseShape>(filters: Filters): Filters {
  const lenient = (filter: z.ZodType) => z.preprocess((given) => (given === '' ? undefined : given), filter)
  return Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, lenient(filter)])) as Filters
}

type Sorted = Pick<PageRequest, 'sort' | 'behind'>

/** The request of an array query. */
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

/**
 * The same for a list that can also be walked by its ids: without `page`, its `Link` continues after an id and repeats
 * nothing.
 */
export function walkedPageQuery<Filters extends z.core.$ZodLooseShape>(filters: Filters) {
  const { before, after } = arrayFields
  const page = bounded(1, MOST_PAGES, 1)
    .optional()
    .describe('By default 1. Without it, `Link` leads on by `before`, which repeats no row when others are added')
  return z.object({ ...pageFields, page, before, after, ...absentIfBlank(filters) })
}

/** The request of a query of the Page shape: always counted. */
export function numberedPageRequest(
  query: { pageSize: number } & { [field in 'page' | 'before' | 'after']?: number | undefined } & Sorted,
): PageRequest {
  return { ...pageRequestOf(query), counted: true, countTo: COUNTED.page }
}

/** Whether a query says which page of a list is wanted. */
export function hasPages(query: z.ZodType | undefined): boolean {
  return query instanceof z.ZodObject && 'pageSize' in query.shape
}

/** How far the rows of a request are counted. */
export function boundOf({ countTo = COUNTED.array }: PageRequest): number {
  return countTo
}

/**
 * The total of a listing from the number of counted rows: at most one more than the bound; then the bound is the total.
 */
export function totalOf(request: PageRequest, counted: number): Pick<Listing<never>, 'total' | 'isMoreThanTotal'> {
  const bound = boundOf(request)
  return counted <= bound ? { total: counted } : { total: bound, isMoreThanTotal: true }
}

/** How many rows precede a page, if each page holds as many as were requested. */
export function rowsBefore({ page = 1, limit }: Pick<PageRequest, 'page' | 'limit'>): number {
  return (page - 1) * limit
}

/** Refuses pages so deep that skipping to them would slow everyone down. */
export function assertShallow(request: Pick<PageRequest, 'page' | 'limit'>): void {
  if (isTooDeep(rowsBefore(request))) throw faults.pageTooDeep()
}

/** This many rows are not skipped; a longer list continues below an id. */
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
