import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withClient } from '../src/data/connections/with-client.ts'
import { tablesMadeIn } from '../src/data/setup/migrations.ts'

/**
 * Generates `src/data/sql/schema.ts` from a migrated database: one interface for each table, with the names and types
 * of `data/values.ts`. `npm run db:types` writes it; the contract tests fail if it is stale. The tables of plug-ins, and of
 * the domains from outside that DOMAINS names, go into the `schema.ts` of their folders.
 */
const TARGET = fileURLToPath(new URL('../src/data/sql/schema.ts', import.meta.url))

const TYPES: Record<string, string> = {
  int8: 'number',
  int4: 'number',
  text: 'string',
  timestamptz: 'string',
  date: 'string',
  bool: 'boolean',
  _int8: 'number[]',
  _text: 'string[]',
  jsonb: 'unknown',
}

interface Column {
  table: string
  name: string
  type: string
  nullable: boolean
  optional: boolean
}

interface Table {
  name: string
  isProtected: boolean
  /** its interface */
  text: string
}

/** The text of schema.ts for the database at `url`. @param outside migrations of domains, whose tables are left out */
export async function generateSchema(url: string, outside: readonly URL[] = []): Promise<string> {
  const theirs = (await Promise.all(outside.map(tablesMadeIn))).flat()
  return render(await readTables(url, (table) => !theirs.includes(table)))
}

/**
 * The text of schema.ts for the tables of a plug-in, or of a domain from outside.
 * @param migrations those of the domain
 * @param door the module that it imports: `#atrium`, or `atrium` from outside
 */
export async function generatePart(url: string, migrations: URL, door: '#atrium' | 'atrium'): Promise<string> {
  const own = await tablesMadeIn(migrations)
  return renderPart(await readTables(url, (table) => own.includes(table)), door)
}

async function readTables(url: string, isWanted: (table: string) => boolean): Promise<Table[]> {
  return withClient(url, 'atrium-types', async (client) => {
    const columns = await client.query<Column>(`
      select table_name as table, column_name as name, udt_name as type, is_nullable = 'YES' as nullable,
             is_nullable = 'YES' or column_default is not null or is_identity = 'YES' as optional
        from information_schema.columns
        join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE'
       order by table_name, ordinal_position`)
    const checks = await client.query<{ table: string; definition: string }>(`
      select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'c'`)
    const unions = unionsOf(checks.rows)
    const wanted = columns.rows.filter(({ table }) => isWanted(table))
    return [...Map.groupBy(wanted, ({ table }) => table)].map(([name, columns]) => ({
      name,
      isProtected: columns.some((column) => column.name === 'tenant_id'),
      text: renderTable(name, columns, unions),
    }))
  })
}

/** `CHECK ((status = ANY (ARRAY['TODO'::text, …])))` limits the values of a text column: they become a union. */
function unionsOf(checks: { table: string; definition: string }[]): Map<string, string> {
  const unions = new Map<string, string>()
  for (const { table, definition } of checks) {
    const [, column, values] = definition.match(/^CHECK \(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)(?: NOT VALID)?$/) ?? []
    if (column && values!.includes("'"))
      unions.set(`${table}.${column}`, [...values!.matchAll(/'([^']*)'/g)].map(([, value]) => `'${value}'`).join(' | '))
  }
  return unions
}

function render(tables: readonly Table[]): string {
  const shared = tables.filter(({ isProtected }) => !isProtected)
  return `// Generated from the migrated database by \`npm run db:types\`. Do not edit.
import type { ColumnType } from 'kysely'

/** A column that has a default or may be null: it can be left out of an insert. */
export type Optional<T> = ColumnType<T, T | undefined, T>

${tables.map(({ text }) => text).join('\n\n')}

export interface DB {
${tables.map(({ name }) => `  ${camelCase(name)}: ${pascalCase(name)}Table`).join('\n')}
}

/** Every table with a tenant_id. Nobody keeps this list: it follows from the columns. */
export type Protected = { [T in keyof DB]: DB[T] extends { tenantId: unknown } ? T : never }[keyof DB]
/** The tables that belong to no tenant. */
export type Shared = Exclude<keyof DB, Protected>
export const SHARED_TABLES: ReadonlySet<string> = new Set([${shared.map(({ name }) => `'${name}'`).join(', ')}])
`
}

function renderPart(tables: readonly Table[], door: string): string {
  return `// Generated from the migrated database by \`npm run db:types\`. Do not edit.
import type { Optional } from '${door}'

${tables.map(({ text }) => text).join('\n\n')}

declare module '${door}' {
  interface DB {
${tables.map(({ name }) => `    ${camelCase(name)}: ${pascalCase(name)}Table`).join('\n')}
  }
}
`
}

function renderTable(table: string, columns: Column[], unions: Map<string, string>): string {
  const lines = columns.map((column) => {
    const type = unions.get(`${table}.${column.name}`) ?? TYPES[column.type]
    if (!type) throw new Error(`No type is known for ${table}.${column.name} (${column.type})`)
    const full = column.nullable ? `${type} | null` : type
    return `  ${camelCase(column.name)}: ${column.optional ? `Optional<${full}>` : full}`
  })
  return `export interface ${pascalCase(table)}Table {\n${lines.join('\n')}\n}`
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function pascalCase(name: string): string {
  return camelCase(`_${name}`)
}

if (import.meta.main) {
  const { withThrowawayDatabase } = await import('./throwaway.ts')
  const { folderOf, isInCore, isPlugin, loadDomains } = await import('../src/load-domains.ts')
  const { offlineConfig } = await import('./openapi/routes.ts')
  const config = offlineConfig()
  const domains = await loadDomains(config)
  const paths = [...domains.filter(isPlugin).map(({ name }) => name), ...config.domains]
  const apart = domains.filter((domain) => !isInCore(domain))
  await withThrowawayDatabase(async (url) => {
    const theirs = apart.flatMap(({ migrations }) => migrations ?? [])
    await renew(TARGET, await generateSchema(url, theirs))
    for (const [at, domain] of apart.entries()) {
      if (!domain.migrations) continue
      const part = await generatePart(url, domain.migrations, isPlugin(domain) ? '#atrium' : 'atrium')
      await renew(join(folderOf(paths[at]!), 'schema.ts'), part)
    }
  }, domains)
}

async function renew(file: string, text: string) {
  const before = await readFile(file, 'utf8').catch(() => '')
  if (text !== before) await writeFile(file, text)
  console.log(`${relative(process.cwd(), file)} ${text === before ? 'is up to date' : 'was written'}`)
}
