import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Facts } from '../../src/data/archive/tables.ts'
import { apart } from './domains.ts'

/** `apiKeys` as the database calls it. */
export const snake = (name: string): string => name.replace(/(?<!^|\.)[A-Z]/g, '_$&').toLowerCase()

/** The columns of each table in a text of types, in the names of the database. */
export function tablesIn(types: string): Map<string, string[]> {
  const tables = types.matchAll(/^export interface (\w+)Table \{\n([\s\S]*?)^\}/gm)
  return new Map(
    [...tables].map(([, table, body]) => [
      snake(table!),
      [...body!.matchAll(/^ {2}(\w+):/gm)].map(([, column]) => snake(column!)),
    ]),
  )
}

/** What the tables of the migrations are, by their names: the facts that `protect` is given. */
function factsIn(migrations: string): Map<string, Facts> {
  const calls = migrations.matchAll(/select protect\('(\w+)'(?:, '[^']*')?(?:, facts => '((?:[^']|'')*)')?\);/g)
  return new Map([...calls].map(([, table, facts = '{}']) => [table!, JSON.parse(facts.replaceAll("''", "'"))]))
}

/** All migrations: those of the core, then those of each plug-in and domain from outside. */
export function readAllMigrations(): string {
  const folders = [
    new URL('../../db/migrations/', import.meta.url),
    ...apart.flatMap(({ migrations }) => migrations ?? []),
  ]
  const files = folders
    .map((folder) => fileURLToPath(folder))
    .flatMap((cwd) =>
      globSync('*.sql', { cwd })
        .sort()
        .map((file) => `${cwd}/${file}`),
    )
  return files.map((file) => readFileSync(file, 'utf8')).join('\n;\n')
}

/** What the migrations of this run say of their tables. */
export const tableFacts: ReadonlyMap<string, Facts> = factsIn(readAllMigrations())

/** The columns with the person whose secrets the rows are: `calendar_keys.user_id`. */
export const secretsOfPeople: readonly string[] = [...tableFacts].flatMap(([table, { secretOf }]) =>
  secretOf ? [`${table}.${secretOf}`] : [],
)
