/**
 * What a domain keeps back when a tenant's data leave: secrets that can be used, and what has no meaning elsewhere. By
 * table: `true`, all its rows; or some columns, which then are null, and the rows for which a condition in SQL holds; or
 * `not imported`: the rows go along as evidence, and a tenant that is imported has none of them.
 */
export type Withheld = Readonly<Record<string, true | 'not imported' | { columns?: readonly string[]; rows?: string }>>

interface Kept {
  columns: readonly string[]
  /** all rows, or those of a condition */
  rows: true | string | undefined
  isImported: boolean
}
const NOTHING: Kept = { columns: [], rows: undefined, isImported: true }

const declared = new Map<string, Kept>()

/** Registers what a domain keeps back. Tables and columns have the names that they have in the database. */
export function declareWithheld(withheld: Withheld): void {
  for (const [table, what] of Object.entries(withheld)) {
    const { columns, rows } = withheldOf(table)
    if (what === true) declared.set(table, { ...NOTHING, rows: true })
    else if (what === 'not imported') declared.set(table, { ...NOTHING, isImported: false })
    else declared.set(table, { ...NOTHING, columns: [...columns, ...(what.columns ?? [])], rows: what.rows ?? rows })
  }
}

export function withheldOf(table: string): Kept {
  return declared.get(table) ?? NOTHING
}

/** The same for all tables, as an archive tells it. */
export function allWithheld(): Record<string, string | { columns?: readonly string[]; rows?: string }> {
  return Object.fromEntries(
    [...declared].map(([table, { columns, rows, isImported }]) => {
      if (!isImported) return [table, 'not imported']
      return [table, rows === true ? 'all rows' : { ...(columns.length > 0 && { columns }), ...(rows && { rows }) }]
    }),
  )
}
