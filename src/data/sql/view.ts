import type { DB } from './schema.ts'

type Table = keyof DB & string
let used: Set<Table> | undefined

/**
 * A part of a statement that the owner of a table lends to other domains: rows to start from, a join, a subquery. It is
 * the one way to read in a statement what belongs to somebody else, so the owner sees here what others rely on.
 * @param tables what the part reads, all of it the owner's
 */
export function view<Args extends unknown[], Part>(tables: Table[], part: (...args: Args) => Part) {
  const lend = (...args: Args): Part => {
    for (const table of tables) used?.add(table)
    return part(...args)
  }
  return Object.assign(lend, { tables })
}

/** Builds a statement, and tells which tables it reads through views. */
export function noticingViews<Built>(build: () => Built): { built: Built; viewed: ReadonlySet<string> } {
  const viewed = new Set<Table>()
  used = viewed
  try {
    return { built: build(), viewed }
  } finally {
    used = undefined
  }
}
