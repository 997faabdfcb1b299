import type { DB } from './schema.ts'

type Table = keyof DB & string
let used: Set<Table> | undefined

/**
 * A part of a statement that the owner of a table lends to other domains: rows to start from, a join, a subquery. It is
 * the only way for a statement to read another domain's tables, so the owner sees here what others rely on.
 * @param tables what the part reads; all of it belongs to the owner
 */
export function lend<Args extends unknown[], Part>(tables: Table[], part: (...args: Args) => Part) {
  const borrow = (...args: Args): Part => {
    for (const table of tables) used?.add(table)
    return part(...args)
  }
  return Object.assign(borrow, { tables })
}

/** Builds a statement, and returns which tables it reads through lent parts. */
export function noticingLent<Built>(build: () => Built): { built: Built; lent: ReadonlySet<string> } {
  const lent = new Set<Table>()
  used = lent
  try {
    return { built: build(), lent }
  } finally {
    used = undefined
  }
}
