import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { cold } from './compile.ts'
import type { From } from './verbs.ts'

type Builder = SelectQueryBuilder<any, any, any>

/** Columns of a list that may be long, as they are called in its rows, by what they hold. */
export type LongColumns = Readonly<Partial<Record<Kind, readonly string[]>>> & {
  /** Texts that are made for the rows that are shown alone: of those before the window and behind the bytes they are not. */
  readonly made?: Readonly<Record<string, Made>>
}
/** A text of the row with an id: how many bytes it is counted for, and how it is made. */
export interface Made {
  bytes?(from: From, id: RawBuilder<number>): RawBuilder<number>
  text(from: From, id: RawBuilder<number>): RawBuilder<string | null>
}
type Kind = keyof typeof SIZES

/** A text is as long as its field allows; a list in a row may be so long that a few rows are a large answer. */
export function isEndless({ made, texts, numbers }: LongColumns): boolean {
  return (made ?? texts ?? numbers) !== undefined
}

/** So much of long columns one window of a list brings; a row is never cut, and one comes whatever it holds. */
export const MOST_BYTES = 2_097_152

/** Beside each row: how many the window had before it was cut, and how much those before it hold. */
const [FETCHED, HELD] = ['fetched', 'held'] as const

/** The first rows of a window whose long columns together fit. What is left out is not even read from its place. */
export function withinBytes(window: Builder, { made = {}, ...long }: LongColumns, from: From): Builder {
  const bytes = [
    ...(Object.keys(SIZES) as Kind[]).flatMap((kind) =>
      (long[kind] ?? []).map((name) => SIZES[kind](sql.ref(`window.${name}`))),
    ),
    ...Object.values(made).flatMap((one) => one.bytes?.(from, sql.ref('window.id')) ?? []),
  ]
  const weighed = cold
    .selectFrom(window.as('window'))
    .selectAll('window')
    // Without an order of their own, the two count the rows as they come: in that of the window.
    .select(sql<number>`count(*) over ()`.as(FETCHED))
    .select(
      sql<number>`sum(${sql.join(bytes, sql` + `)}) over (rows between unbounded preceding and 1 preceding)`.as(HELD),
    )
  return cold
    .selectFrom(weighed.as('weighed'))
    .selectAll('weighed')
    .select(Object.entries(made).map(([name, { text }]) => text(from, sql.ref('weighed.id')).as(name)))
    .where(sql<boolean>`coalesce(${sql.ref(`weighed.${HELD}`)}, 0) < ${sql.lit(MOST_BYTES)}`) as Builder
}

/** Of a text its length is known without reading it. */
const SIZES = {
  text: (column: RawBuilder<unknown>) => sql`coalesce(octet_length(${column}), 0)`,
  texts: (column: RawBuilder<unknown>) => sql`coalesce(octet_length(array_to_string(${column}, '')), 0)`,
  numbers: (column: RawBuilder<unknown>) => sql`coalesce(8 * cardinality(${column}), 0)`,
} satisfies Record<string, (column: RawBuilder<unknown>) => RawBuilder<unknown>>

/** How many rows of a window were left out. */
export function leftOut(rows: readonly object[]): number {
  const [first] = rows as readonly { fetched?: number }[]
  return (first?.fetched ?? rows.length) - rows.length
}
