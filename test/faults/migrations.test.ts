import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { type MigrateOptions, migrate } from '../../src/data/setup/migrate.ts'
import type { MigrationSource } from '../../src/data/setup/migrations.ts'
import { migrationsOf } from '../../src/load-domains.ts'
import { atriumHere } from '../support/cli-here.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { domains } from '../support/domains.ts'
import { newFolder } from '../support/folder.ts'
import { inTime, until } from '../support/patience.ts'

/** Migrations of a release, on a database that is in use. */

const root = newFolder()

let url: string
let look: Inspector
const logged: { facts: any; message: string }[] = []
const write = (facts: object, message: string) => void logged.push({ facts, message })
const log = { info: write, warn: write, error: write }
beforeEach(async () => {
  logged.length = 0
  url = await cloneDatabase()
  look = await openInspector(url)
})

const PRESENT = migrationsOf(domains)
/** The next release: these files behind those that there are. */
function givenRelease(files: Record<string, string>): readonly MigrationSource[] {
  const folder = mkdtempSync(join(root, 'release-'))
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql)
  return [...PRESENT, { name: 'next', folder: pathToFileURL(`${folder}/`) }]
}
const update = (sources: readonly MigrationSource[], options: MigrateOptions = {}) =>
  migrate(url, log, sources, options)
const columnsOf = async (table: string) =>
  (
    await look.rows(`select attname::text as name from pg_attribute where attrelid = $1::regclass and attnum > 0`, [
      table,
    ])
  ).map(({ name }) => name)
const namesApplied = async () =>
  (await look.rows(`select name from schema_migrations where name like 'next/%' order by 1`)).map(({ name }) => name)

/** What pg_dump does to a database for as long as it runs: one snapshot, and every table locked against changes of its shape. */
async function givenDump() {
  const client = new pg.Client({ connectionString: url, application_name: 'pg_dump' })
  await client.connect()
  await client.query('begin isolation level repeatable read, read only')
  await client.query('lock table tasks, projects, audit_operations in access share mode')
  return { end: () => client.end() }
}

/** People who write a row of the table, one behind the other. */
function givenWriters(table: string) {
  let [slowest, written, isOver] = [0, 0, false]
  const running = Promise.all(
    [1, 2, 3].map(async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      while (!isOver) {
        const start = performance.now()
        await client.query(`update ${table} set version = version where tenant_id = -1`)
        slowest = Math.max(slowest, performance.now() - start)
        written++
        await sleep(20)
      }
      await client.end()
    }),
  )
  return {
    /** Waits until each of them has probably written again. */
    untilMore() {
      const before = written
      return until(() => written >= before + 10)
    },
    /** @returns how long the slowest had to wait, in ms */
    async stop() {
      isOver = true
      await running
      return slowest
    },
  }
}

describe('a migration of a table that somebody reads for long', () => {
  test('keeps nobody who writes waiting for longer than a second, tries again, and is applied after it', async () => {
    const sources = givenRelease({ '0001_more.sql': 'alter table tasks add column more text' })
    const [dump, writers] = [await givenDump(), givenWriters('tasks')]

    const updating = update(sources)
    await until(() => waits().length > 0)
    await writers.untilMore()
    await dump.end()
    await updating

    expect(await writers.stop()).toBeLessThan(inTime(1000))
    expect(waits()[0]!.facts).toMatchObject({ what: 'next/0001_more.sql', oldestTransaction: 'pg_dump' })
    expect(await columnsOf('tasks')).toContain('more')
  })

  test('gives up if that never ends, and says which file and why', async () => {
    const sources = givenRelease({ '0001_more.sql': 'alter table tasks add column more text' })
    const dump = await givenDump()
    await expect(update(sources, { patience: 0 })).rejects.toThrow(
      'Migration next/0001_more.sql failed: canceling statement due to lock timeout. At the next start nothing',
    )
    await dump.end()
    expect((await update(sources)).applied).toEqual(['next/0001_more.sql'])
  })

  const waits = () => logged.filter(({ message }) => message.startsWith('a migration needs a table that is locked'))
})

describe('several files', () => {
  test('are a transaction each: what came before the one that fails stays, and is named only when it is there', async () => {
    const broken = {
      '0001_one.sql': 'create table one (n int)',
      '0002_two.sql': 'create table two (n int);\n\nselect nothing',
    }
    const message = await update(givenRelease(broken)).catch((error) => error.message)

    expect(message).toBe(
      'Migration next/0002_two.sql failed in line 3: column "nothing" does not exist. At the next start nothing of it was kept, and it runs again',
    )
    expect(logged.map(({ facts, message }) => [message, facts.migration])).toEqual([['migrated', 'next/0001_one.sql']])
    expect(await namesApplied()).toEqual(['next/0001_one.sql'])
    expect(await look.rows(`select to_regclass('two') as two`)).toEqual([{ two: null }])
    const mended = { ...broken, '0002_two.sql': 'create table two (n int)' }
    expect((await update(givenRelease(mended))).applied).toEqual(['next/0002_two.sql'])
  })

  test('are applied once, by one of several that start together', async () => {
    const sources = givenRelease({
      '0001_one.sql': 'create table one (n int); select pg_sleep(0.1)',
      '0002_index.sql': '-- atrium: no transaction\ncreate index concurrently one_by_n on one (n);\n',
      '0003_three.sql': 'insert into one values (1)',
    })
    const results = await Promise.all([1, 2, 3, 4].map(() => update(sources)))
    expect(results.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 0, 3])
    expect(await look.count('select count(*) from one')).toBe(1)
  })

  test('end with their lock: a killed one keeps nobody waiting', async () => {
    const sources = givenRelease({ '0001_slow.sql': 'create table one (n int); select pg_sleep(600)' })
    const killed = update(sources).catch((error) => error.message)
    const asleep = `select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
    await until(async () => (await look.count(asleep)) === 1)
    await look.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'atrium-migrate' and datname = current_database()`,
    )
    expect(await killed).toContain('Migration next/0001_slow.sql failed')
    expect((await update(givenRelease({ '0001_quick.sql': 'create table one (n int)' }))).applied).toHaveLength(1)
  })
})

describe('a database that a newer version has migrated', () => {
  beforeEach(() => look.rows(`insert into schema_migrations (name, checksum) values ('9999_tomorrow.sql', '')`))

  test('is refused with a sentence, by the command line too, unless it is forced', async () => {
    await expect(update(PRESENT)).rejects.toThrow(
      'A newer version has migrated this database (9999_tomorrow.sql), and this one does not know what changed. Start that version',
    )
    expect((await update(PRESENT, { allowDowngrade: true })).applied).toEqual([])
    const refused = await atriumHere('migrate up', { env: { DATABASE_URL: url } })
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^A newer version has migrated this data/) })
    expect(refused.err).not.toContain('    at ')
    const env = { DATABASE_URL: url, ALLOW_DOWNGRADE: 'true' }
    expect(await atriumHere('migrate up', { env })).toMatchObject({ code: 0 })
  })
})

test('a database whose migrations no version knows is refused with a sentence, even if it is forced', async () => {
  await look.rows(`update schema_migrations set name = 'old_' || name where name not like '%/%'`)
  await expect(update(PRESENT, { allowDowngrade: true })).rejects.toThrow(
    /^No version knows the migrations of this database \(old_0001_tenants\.sql and \d+ more\): it was made before the first release/,
  )
})

test('tables of a domain that is not loaded any more are no newer version', async () => {
  await update(givenRelease({ '0001_one.sql': 'create table one (n int)' }))
  await expect(update(PRESENT)).resolves.toMatchObject({ applied: [] })
  expect(logged.at(-1)).toMatchObject({ facts: { migrations: ['next/0001_one.sql'] } })
})
