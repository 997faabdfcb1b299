import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

/** A folder of migrations. Those of a plug-in or a domain from outside have its name: `labels/0001_labels.sql`. */
export interface MigrationSource {
  readonly name?: string | undefined
  readonly folder: URL
}

/** The migrations of the core. */
export const OWN_MIGRATIONS: MigrationSource = { folder: new URL('../../../db/migrations/', import.meta.url) }

export interface KnownMigration {
  name: string
  sql: string
}

export interface Migration {
  name: string
  /**
   * `changed`: its text differs from what was applied. `unknown`: applied by a newer version of the service. `foreign`:
   * of a domain that is not loaded here.
   */
  state: 'applied' | 'missing' | 'changed' | 'unknown' | 'foreign'
  appliedAt: Date | undefined
  /** undefined if it is not known here */
  sql: string | undefined
}

/** The migrations of this version, in order: source by source, by number. */
export async function knownMigrations(sources: readonly MigrationSource[]): Promise<KnownMigration[]> {
  return (await Promise.all(sources.map(migrationsIn))).flat()
}

async function migrationsIn({ name, folder }: MigrationSource): Promise<KnownMigration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => ({
      name: name === undefined ? file : `${name}/${file}`,
      sql: await readFile(new URL(file, folder), 'utf8'),
    })),
  )
}

/** The names of the tables that the migrations of a folder make, in their order. */
export async function tablesMadeIn(folder: URL): Promise<string[]> {
  const texts = (await migrationsIn({ folder })).map(({ sql }) => sql)
  return texts.flatMap((text) =>
    [...text.matchAll(/^create table (?:if not exists )?(\w+)/gim)].map(([, name]) => name!),
  )
}

/** Compares the migrations of this version with those applied to the database. */
export async function compareMigrations(client: pg.Client, sources: readonly MigrationSource[]): Promise<Migration[]> {
  const done = new Map((await listApplied(client)).map((row) => [row.name, row]))
  const known = (await knownMigrations(sources)).map(({ name, sql }): Migration => {
    const row = done.get(name)
    done.delete(name)
    const state = !row ? 'missing' : row.checksum === checksumOf(sql) ? 'applied' : 'changed'
    return { name, sql, state, appliedAt: row?.applied_at }
  })
  const loaded = new Set(sources.map((source) => source.name))
  const others = [...done.values()].map(({ name, applied_at }): Migration => {
    const state = name.includes('/') && !loaded.has(name.split('/', 1)[0]) ? 'foreign' : 'unknown'
    return { name, sql: undefined, state, appliedAt: applied_at }
  })
  return [...known, ...others]
}

export interface Applied {
  name: string
  checksum: string
  applied_at: Date
}

export async function listApplied(client: pg.Client): Promise<Applied[]> {
  const { rows: tables } = await client.query(`select to_regclass('public.schema_migrations') as found`)
  if (!tables[0].found) return []
  const { rows } = await client.query<Applied>('select name, checksum, applied_at from schema_migrations order by name')
  return rows
}

export function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex')
}

/** A file that says so in its first line runs each statement by itself: for indexes that are built concurrently. */
export function isOutsideTransaction(sql: string): boolean {
  return /^-- atrium: no transaction\s*$/m.test(sql.split('\n', 1)[0]!)
}

/** The statements of such a file: each ends with a semicolon at the end of a line that is not between `$$` and `$$`. */
export function statementsOf(sql: string): string[] {
  const statements: string[] = []
  for (const part of sql.split(/;[ \t]*$/m)) {
    const isInside = (statements.at(-1)?.split('$$').length ?? 1) % 2 === 0
    if (isInside) statements.push(`${statements.pop()};${part}`)
    else statements.push(part)
  }
  return statements
    .map((statement) => statement.trim())
    .filter((statement) => statement.split('\n').some((line) => line.trim() !== '' && !line.trim().startsWith('--')))
}
