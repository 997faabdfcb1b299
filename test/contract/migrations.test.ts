import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { expectNone } from '../support/expect-none.ts'
import { readMigrations } from '../support/migrations.ts'

/** What the files of `db/migrations` say, without a database: the check has none. */
const FOLDER = new URL('../../db/migrations/', import.meta.url)
const names = readdirSync(FOLDER).sort()
const text = names.map((name) => readFileSync(new URL(name, FOLDER), 'utf8')).join('\n')
const schema = readFileSync(new URL('../../src/data/sql/schema.ts', import.meta.url), 'utf8')
/** Numbers that were given up before the first release, when nobody had applied them. */
const GIVEN_UP = [7, 9]

describe('the migrations', () => {
  test('are numbered one after the other, each number once', () => {
    expectNone(numberingProblems(names))
    expect(numberingProblems(['0001_a.sql', '0001_b.sql'])).toEqual([
      'db/migrations/0001_b.sql has a number that another migration has: it has to be 0002',
    ])
    expect(numberingProblems(['0001_a.sql', '0003_b.sql'])).toEqual([
      'db/migrations/0003_b.sql leaves a number out: it has to be 0002',
    ])
  })

  test('put every table of a tenant behind row security', () => {
    const { tables, isProtected } = readMigrations(text)
    expect(tables.size).toBeGreaterThan(25)
    const open = [...tables].filter(([name, columns]) => columns.includes('tenant_id') && !isProtected.has(name))
    expectNone(
      open.map(
        ([name]) => `table ${name} is open to every tenant: its migration has to end with  select protect('${name}');`,
      ),
    )
  })

  test('make the tables and columns that the types of the statements know', () => {
    const known = tablesOfSchema()
    // Made by whoever applies migrations, before the first of them.
    known.delete('schema_migrations')
    const { tables } = readMigrations(text)
    const differences = [...new Set([...known.keys(), ...tables.keys()])].flatMap((table) => {
      const [types, migrations] = [known.get(table) ?? [], tables.get(table) ?? []]
      return [
        ...migrations
          .filter((column) => !types.includes(column))
          .map((column) => `${table}.${column} is missing in it`),
        ...types
          .filter((column) => !migrations.includes(column))
          .map((column) => `${table}.${column} is in no migration`),
      ]
    })
    expectNone(differences.map((difference) => `src/data/sql/schema.ts is old, ${difference}: npm run db:types`))
  })
})

function numberingProblems(files: readonly string[]): string[] {
  let expected = 0
  for (const file of files) {
    do expected++
    while (GIVEN_UP.includes(expected))
    const number = Number.parseInt(file, 10)
    if (number === expected) continue
    const what = number < expected ? 'has a number that another migration has' : 'leaves a number out'
    return [`db/migrations/${file} ${what}: it has to be ${String(expected).padStart(4, '0')}`]
  }
  return []
}

/** Tables and columns of schema.ts, in the names of the database. */
function tablesOfSchema(): Map<string, string[]> {
  const tables = [...schema.matchAll(/^export interface (\w+)Table \{\n([\s\S]*?)^\}/gm)]
  return new Map(
    tables.map(([, name, body]) => [
      snakeCase(name!).slice(1),
      [...body!.matchAll(/^ {2}(\w+):/gm)].map(([, column]) => snakeCase(column!)),
    ]),
  )
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
