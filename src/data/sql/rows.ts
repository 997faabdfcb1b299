import type { SelectType } from 'kysely'
import type { DB } from './schema.ts'

/**
 * A row of a table as it is read, in the types and the order of the generated schema; without its tenant, which the
 * scope handles, and without what the database fills in or the statement leaves unchanged.
 */
export type RowOf<Table extends keyof DB, Left extends keyof DB[Table] = never> = {
  [Name in keyof DB[Table] as Exclude<Name, Left | 'tenantId'>]: SelectType<DB[Table][Name]>
}

/** The named columns of such a row. */
export type PartOf<Table extends keyof DB, Names extends keyof DB[Table]> = {
  [Name in keyof DB[Table] as Extract<Name, Names>]: SelectType<DB[Table][Name]>
}

/** The columns of a table for a SELECT, RETURNING: `columnsOf('tasks', ['id', 'title'])` is `['tasks.id', 'tasks.title']`. */
export function columnsOf<Table extends keyof DB & string, Name extends keyof DB[Table] & string>(
  table: Table,
  names: readonly Name[],
): `${Table}.${Name}`[] {
  return names.map((name) => `${table}.${name}` as const)
}

/** The names of a list except some. */
export function except<Name extends string, Left extends Name>(names: readonly Name[], left: readonly Left[]) {
  const gone = new Set<string>(left)
  return names.filter((name): name is Exclude<Name, Left> => !gone.has(name))
}

/** The values of a statement that a SET names; other columns of the caller's row are left out. */
export function only<Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Name> {
  const picked: Partial<Values> = {}
  for (const name of names) if (name in values) picked[name] = values[name]
  return picked as Pick<Values, Name>
}
