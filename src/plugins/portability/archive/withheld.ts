import type { Facts } from '#atrium'

interface Kept {
  columns: readonly string[]
  /** all rows, or those of a condition */
  rows: true | string | undefined
  isImported: boolean
}

/** What stays behind of a table when a tenant's data leave. */
export function withheldOf({ facts: { withheld } }: { facts: Facts }): Kept {
  if (withheld === true) return { columns: [], rows: true, isImported: true }
  if (withheld === 'not imported') return { columns: [], rows: undefined, isImported: false }
  return { columns: withheld?.columns ?? [], rows: withheld?.rows, isImported: true }
}

/** The same for some tables, as an archive tells it. */
export function allWithheld(tables: readonly { name: string; facts: Facts }[]): Record<string, unknown> {
  return Object.fromEntries(
    tables.flatMap(({ name, facts: { withheld } }) =>
      withheld === undefined ? [] : [[name, withheld === true ? 'all rows' : withheld]],
    ),
  )
}
