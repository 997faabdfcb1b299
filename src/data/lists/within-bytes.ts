import { type RawBuilder, sql } from 'kysely'
import { boundOf, type PageRequest, rowsBefore } from '../../kernel/page.ts'
import { cold } from '../sql/compile.ts'
import type { From } from '../sql/verbs.ts'
import type { Builder } from './orders.ts'

/** Columns of a list that may be long, as they are called in its rows, by what they hold. */
export type LongColumns = Readonly<Partial<Record<Kind, readonly string[]>>> & {
  /** Texts that are made only for the rows of an answer, by their ids. */
  readonly made?: Readonly<Record<string, Made>>
}
type Made = (from: From, id: RawBuilder<number>) => RawBuilder<string | null>
type Kind = keyof typeof SIZES

/**
 * This many rows with long texts are not a large answer: the limits of the fields bound them, and they are often read.
 */
const LARGEST_OF_MANY = 100

/**
 * Whether a page may be too many bytes: with texts only if it has many rows, with a column of sizes even if it has few.
 */
export function isWeighed(request: Pick<PageRequest, 'limit'>, long: LongColumns | undefined): boolean {
  return isLarge(request, long) || long?.sizes !== undefined
}

/** Whether its answer may be large: each person gets one such list at a time. */
export function isLarge({ limit }: Pick<PageRequest, 'limit'>, long: LongColumns | undefined): boolean {
  return long !== undefined && limit > LARGEST_OF_MANY
}

/**
 * From here on it costs less to find the keys of a page first, and then its rows, than to skip the rows before it. If
 * rows are weighed, it always does, because they are large.
 */
const FAR = 100

/** Bytes of long columns in one window of a list; a row is never cut, and at least one is returned. */
export const MOST_BYTES = 2_097_152

/** Beside each row: how many the window had before it was cut, and how many bytes the rows before it hold. */
const [FETCHED, HELD] = ['fetched', 'held'] as const

/** The first rows of a window whose long columns fit together. Long values that are left out are not even read. */
export function withinBytes(window: Builder, long: LongColumns, from: From): Builder {
  const { made = {} } = long
  const weighed = cold
    .selectFrom(window.as('window'))
    .selectAll('window')
    // Without their own order, the two count the rows in the order of the window.
    .select(sql<number>`count(*) over ()`.as(FETCHED))
    .select(sql<number>`sum(${bytesOf(long)}) over (rows between unbounded preceding and 1 preceding)`.as(HELD))
  return cold
    .selectFrom(weighed.as('weighed'))
    .selectAll('weighed')
    .select(Object.entries(made).map(([name, make]) => make(from, sql.ref('weighed.id')).as(name)))
    .where(sql<boolean>`coalesce(${sql.ref(`weighed.${HELD}`)}, 0) < ${sql.lit(MOST_BYTES)}`) as Builder
}

function bytesOf(long: LongColumns): RawBuilder<number> {
  const bytes = (Object.keys(SIZES) as Kind[]).flatMap((kind) =>
    (long[kind] ?? []).map((name) => SIZES[kind](sql.ref(`window.${name}`))),
  )
  return sql<number>`${sql.join(bytes, sql` + `)}`
}

/** How many bytes each row of a window holds, in its order; null if there is none. */
export interface Weights {
  weights: number[] | null
}

export function weightsOf(window: Builder, long: LongColumns) {
  return cold.selectFrom(window.as('window')).select(sql<number[] | null>`array_agg(${bytesOf(long)})`.as('weights'))
}

/**
 * How many rows come before a page that is requested by its number. Each page before it holds as many rows as
 * requested, or fewer if these are too many bytes, so that each row of a list is on exactly one page.
 * @param weigh reads the weights of this many rows from the beginning of the list
 */
export async function startOfPage(
  request: PageRequest,
  long: LongColumns | undefined,
  weigh: (rows: number) => Promise<Weights[]>,
): Promise<number> {
  const most = rowsBefore(request)
  if (most === 0 || !isWeighed(request, long)) return most
  const [found] = await weigh(most)
  return startAmong(found?.weights ?? [], request)
}

/** @param weights of at least the rows that the pages before may hold, or of the whole list */
export function startAmong(
  weights: readonly number[],
  { page = 1, limit }: Pick<PageRequest, 'page' | 'limit'>,
): number {
  let start = 0
  for (let before = 1; before < page && start < weights.length; before++) {
    const end = Math.min(start + limit, weights.length)
    for (let held = 0; start < end && held < MOST_BYTES; start++) held += weights[start]!
  }
  return start
}

/** The length of a text is known without reading it; for other long values a column holds their bytes. */
const SIZES = {
  text: (column: RawBuilder<unknown>) => sql`coalesce(octet_length(${column}), 0)`,
  sizes: (column: RawBuilder<unknown>) => sql`coalesce(${column}, 0)`,
} satisfies Record<string, (column: RawBuilder<unknown>) => RawBuilder<unknown>>

/** How many rows of a window were left out. */
export function leftOut(rows: readonly object[]): number {
  const [first] = rows as readonly { fetched?: number }[]
  return (first?.fetched ?? rows.length) - rows.length
}

/**
 * The parameters of a request, each only if it makes a difference: every combination is its own statement.
 * @param offset how many rows come before its own
 */
export function paramsOf(request: PageRequest, offset: number, long: LongColumns | undefined) {
  return {
    limit: request.limit + 1,
    ...(offset > 0 && { offset }),
    ...(offset >= (isWeighed(request, long) ? 1 : FAR) && { far: true as const }),
    ...edgesOf(request),
    ...(request.counted && { countTo: boundOf(request) + 1 }),
    ...(isWeighed(request, long) && { weighed: true as const }),
    ...(isLarge(request, long) && { large: true as const }),
  }
}

export function edgesOf({ before, after, behind }: PageRequest) {
  return {
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(behind !== undefined && { behind }),
  }
}
