import type { Inspector } from './database.ts'

/** The tables that are there: those of the core, and of each plug-in that this copy has. */
export async function tablesIn(look: Inspector): Promise<Set<string>> {
  const sql = `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`
  return new Set((await look.rows<{ name: string }>(sql)).map(({ name }) => name))
}

/** Statements without those that fill a table that is not there. */
export function forTables(tables: Set<string>, statements: readonly string[]): string[] {
  return statements.filter((statement) => {
    const [, table] = /^\s*(?:insert into|delete from) (\w+)/.exec(statement) ?? []
    return !table || tables.has(table)
  })
}
