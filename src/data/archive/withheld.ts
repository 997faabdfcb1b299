/**
 * What a domain keeps back when a tenant's data leave: secrets that can be used, and what has no meaning elsewhere. By
 * table: all its rows, or some columns, which then are null, and the rows for which a condition in SQL holds.
 */
export type Withheld = Readonly<Record<string, true | { columns?: readonly string[]; rows?: string }>>

const declared = new Map<string, { columns: readonly string[]; rows: string | true | undefined }>()

/** Registers what a domain keeps back. Tables and columns have the names that they have in the database. */
export function declareWithheld(withheld: Withheld): void {
  for (const [table, what] of Object.entries(withheld)) {
    const { columns, rows } = withheldOf(table)
    if (what === true) declared.set(table, { columns: [], rows: true })
    else declared.set(table, { columns: [...columns, ...(what.columns ?? [])], rows: what.rows ?? rows })
  }
}

/** What is kept back of a table: columns, and rows: all of them, or those of a condition. */
export function withheldOf(table: string) {
  return declared.get(table) ?? { columns: [], rows: undefined }
}

/** The same for all tables, as an archive tells it. */
export function allWithheld(): Record<string, 'all rows' | { columns?: readonly string[]; rows?: string }> {
  return Object.fromEntries(
    [...declared].map(([table, { columns, rows }]) => [
      table,
      rows === true ? 'all rows' : { ...(columns.length > 0 && { columns }), ...(rows && { rows }) },
    ]),
  )
}
