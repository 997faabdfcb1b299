import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { startEmbedded } from '../../appliance/embedded/embedded.ts'
import type { Finding } from '../../src/atrium/finding.ts'
import { migrate } from '../../src/data/setup/migrate.ts'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import { migrationsOf } from '../../src/load-domains.ts'
import { defaultsOfPlugins } from '../../tools/of-plugins.ts'
import { endsWithFile } from '../support/clean-up.ts'
import { atriumHere } from '../support/cli-here.ts'
import { cloneDatabase, openInspector } from '../support/database.ts'
import { fillDisk, mountAt, tryToMount } from '../support/disk.ts'
import { domains } from '../support/domains.ts'
import { newFolder } from '../support/folder.ts'
import { until } from '../support/patience.ts'
import { pgbouncerIsHere, startPgBouncer } from '../support/pgbouncer.ts'
import { makeCluster, startOwnPostgres } from '../support/postgres.ts'
import { redisIsHere, startRedis } from '../support/redis.ts'
import { startHere } from '../support/service-here.ts'

/** The doctor on real databases; test/unit/doctor.test.ts has each judgement of what it finds. */
const dir = newFolder()
/** What plug-ins say of a set-up that is sound, a pattern for each line. */
const OF_PLUGINS = (await defaultsOfPlugins<RegExp[]>('test/sound.ts')).flat()
const silent = { info() {}, warn() {}, error() {} }
const postgres = await startOwnPostgres({ durable: true })
/** a database with nothing wrong */
const sound = await postgres.createDatabase()
await migrate(sound, silent, migrationsOf(domains))

/** Changes a database by hand. The doctor counts connections, so this one is closed before. */
async function change(url: string, sql: string) {
  const look = await openInspector(url)
  await look.rows(sql)
  await look.close()
}

/** What the doctor says of a set-up that is sound but for the given; no complaint means that all is well. */
async function examine(env: Record<string, string>) {
  const said = await atriumHere('doctor --json', { env: { FILE_STORAGE_ROOT: join(dir, 'files'), ...env } })
  const findings: Finding[] = said.json()
  const bad = findings.filter(({ verdict }) => verdict !== 'ok')
  return {
    code: said.code,
    complaints: bad.map(({ verdict, check, what }) => `${verdict} ${check}: ${what}`),
    of: (wanted: string) => findings.find(({ check }) => check === wanted),
  }
}

test('a set-up that is sound gets a line for everything that was looked at, and exit code 0', async () => {
  const redis = redisIsHere() && { REDIS_URL: (await startRedis()).url }
  const files = { FILE_STORAGE_ROOT: join(dir, 'fine') }
  const env = { DATABASE_URL: sound, MIGRATION_DATABASE_URL: sound, ...files, ...redis }
  // Redis has two seconds to answer.
  const { code, out } = await until(async () => {
    const said = await atriumHere('doctor', { env })
    return !/^warn +redis /m.test(said.out) && said
  })

  const lines = out.trimEnd().split('\n')
  for (const line of OF_PLUGINS) expect(lines.filter((said) => line.test(said))).toHaveLength(1)
  expect(lines.filter((said) => !OF_PLUGINS.some((line) => line.test(said)))).toEqual([
    expect.stringMatching(/^ok {4}configuration {2}valid, for development; \d variables are set$/),
    expect.stringMatching(/^ok {4}database {7}PostgreSQL 18\.\d+, faults_\d+ as atrium, [\d.]+ ms away$/),
    expect.stringMatching(/^ok {4}migrations {5}atrium may migrate$/),
    expect.stringMatching(/^ok {4}role {11}atrium becomes atrium_service_faults_\d+ in each transaction$/),
    expect.stringMatching(/^ok {4}migrations {5}all \d+ are applied$/),
    expect.stringMatching(/^ok {4}isolation {6}row security is forced on every tenant table/),
    expect.stringMatching(/^ok {4}writes {9}the database takes them$/),
    expect.stringMatching(/^ok {4}durability {5}an acknowledged write is on the disk$/),
    expect.stringMatching(/^ok {4}collation {6}searches ignore case in every script$/),
    expect.stringMatching(/^ok {4}connections {4}100 may be open, others hold \d+: room for 3 replicas of 30$/),
    expect.stringMatching(/^ok {4}clock {10}the database's clock is \d+ ms (behind|ahead of) ours$/),
    expect.stringMatching(/^ok {4}files {10}\S+fine takes files and gives them back$/),
  ])
  expect(code).toBe(0)
  expect(existsSync(join(dir, 'fine', '0'))).toBe(false)
})

describe('the embedded database', () => {
  const mayMount = tryToMount()
  const home = join(dir, 'embedded')
  const env = { DATA_DIR: home, DATABASE_URL: '' }
  let stop: () => Promise<void>
  beforeAll(async () => {
    mkdirSync(home)
    if (mayMount) endsWithFile(mountAt(home, 200))
    await makeCluster(home)
    const server = await startEmbedded({ dir: home, durable: true, mode: 'exclusive' })
    endsWithFile(() => server.stop())
    const service = await startHere(server.url())
    stop = async () => {
      await service.stop()
      await server.stop()
    }
  })

  test.skipIf(!mayMount)('on a full disk: the doctor says so, of the database and of the files', async () => {
    const free = fillDisk(home)
    const { code, of } = await examine({ ...env, FILE_STORAGE_ROOT: join(home, 'files') })
    free()

    expect(code).toBe(1)
    expect(of('writes')).toMatchObject({
      verdict: 'FAIL',
      what: expect.stringMatching(/^every command is a 503: the disk of the database is full \(.*No space left/),
    })
    expect(of('files')).toMatchObject({ verdict: 'FAIL', what: expect.stringContaining('ENOSPC') })
  })

  test('is looked at while the service runs on it, and after it has stopped', async () => {
    expect(await examine(env)).toMatchObject({ code: 0, complaints: [] })
    await stop()
    expect(await examine(env)).toMatchObject({ code: 0, complaints: [] })
  })
})

describe('a set-up that is not sound', () => {
  const NEWER = `insert into schema_migrations (name, checksum) values ('9999_tomorrow.sql', '')`
  const isNewer = 'migrations: a newer version has applied: 9999_tomorrow.sql'

  test.each<[string, string, string[], { code?: number; env?: Record<string, string> }?]>([
    [
      'has migrations behind',
      `delete from schema_migrations where name ~ '^000[45]'; ${NEWER}`,
      ['FAIL migrations: missing: 0004_work.sql, 0005_content.sql'],
    ],
    [
      'was migrated by a version that is gone',
      `update schema_migrations set checksum = 'another' where name ~ '^0002'`,
      ['FAIL migrations: changed after they were applied: 0002_people.sql'],
    ],
    [
      'was made before the first release',
      `update schema_migrations set name = 'old_' || name where name not like '%/%'`,
      ['FAIL migrations: they are those of no version'],
    ],
    ['was migrated by a newer version', NEWER, [`FAIL ${isNewer}`]],
    ['may be so', NEWER, [`warn ${isNewer}`], { code: 0, env: { ALLOW_DOWNGRADE: 'true' } }],
    [
      'has a table without forced row security, and one without a policy',
      'alter table tasks no force row level security; drop policy tenant_isolation on comments',
      [
        'FAIL isolation: table comments does not have exactly the one policy tenant_isolation',
        'FAIL isolation: table tasks does not force row security',
      ],
    ],
  ])('%s', async (_, sql, complaints, { code = 1, env = {} } = {}) => {
    const url = await postgres.createDatabase(sound)
    await change(url, sql)
    expect(await examine({ DATABASE_URL: url, ...env })).toMatchObject({ code, complaints })
  })

  const notAFolder = join(dir, 'a-file-and-no-folder')
  const needs = (name: string) => `FAIL configuration: ${name}: production needs it`

  test.each<[string, () => Record<string, string>, number, (string | RegExp)[]]>([
    [
      'cannot write its uploads',
      () => ({ FILE_STORAGE_ROOT: join(notAFolder, 'files') }),
      1,
      [/^FAIL files: .*a-file-and-no-folder\/files: ENOTDIR/],
    ],
    [
      'has no database',
      () => ({ DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }),
      1,
      [/^FAIL database: cannot be reached: connect ECONNREFUSED/],
    ],
    [
      'has a configuration with mistakes',
      () => ({ NODE_ENV: 'production', PORT: 'eighty', S3_BUKET: 'x', DATABASE_URL: '' }),
      1,
      [
        'FAIL configuration: PORT: must be a whole number',
        ...['CORS_ORIGINS', 'DATABASE_URL', 'ADMIN_PASSWORD', 'JWT_SECRET'].map(needs),
        'warn configuration: S3_BUKET is not read',
      ],
    ],
    [
      'acknowledges what is not on the disk, has too few connections, and takes no writes',
      () => {
        const options = '-c synchronous_commit=off -c default_transaction_read_only=on'
        const DATABASE_URL = `${sound}?options=${encodeURIComponent(options)}`
        return { DATABASE_URL, DATABASE_HELD_LINES: '64', DATABASE_LINES: '64' }
      },
      1,
      [
        'FAIL writes: every command is a 503: the server is a standby, or read-only',
        'FAIL durability: synchronous_commit is off',
        /^FAIL connections: .* room for 0 replicas of 138$/,
      ],
    ],
  ])('%s', async (_, env, code, complaints) => {
    writeFileSync(notAFolder, '')
    expect(await examine({ DATABASE_URL: sound, ...env() })).toMatchObject({
      code,
      complaints: complaints.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
    })
  })

  test('has a first tenant that nobody gets into, until it is enabled', async () => {
    const DATABASE_URL = await cloneDatabase()
    await change(DATABASE_URL, `update tenants set status = 'disabled' where id = 1`)
    const before = await examine({ DATABASE_URL })
    expect(before.of('first tenant')).toMatchObject({ verdict: 'FAIL', remedy: 'atrium tenant enable default' })

    expect(await atriumHere('tenant enable default', { env: { DATABASE_URL } })).toMatchObject({ code: 0 })
    expect((await examine({ DATABASE_URL })).of('first tenant')).toMatchObject({ verdict: 'ok' })
  })

  test('migrates another database than it works on', async () => {
    const there = await postgres.createDatabase()

    expect(await examine({ DATABASE_URL: sound, MIGRATION_DATABASE_URL: there })).toMatchObject({
      code: 1,
      complaints: ['FAIL migrations: MIGRATION_DATABASE_URL leads to another database'],
    })
  })

  test('has a role that bypasses row security, whatever the tables say', async () => {
    const role = serviceRoleOf(new URL(sound).pathname.slice(1))
    await change(sound, `alter role ${role} bypassrls`)
    const found = await examine({ DATABASE_URL: sound })
    await change(sound, `alter role ${role} nobypassrls`)

    expect(found).toMatchObject({ code: 1, complaints: [`FAIL isolation: the role ${role} bypasses row security`] })
  })

  test.skipIf(!pgbouncerIsHere())(
    'has a pooler that the configuration does not name: the start says so too, and what they advise cures',
    async () => {
      const url = await postgres.createDatabase(sound)
      const DATABASE_URL = (await startPgBouncer(url, 4)).through(url)
      const cure = { DATABASE_POOLER: 'true', MIGRATION_DATABASE_URL: url }

      expect((await examine({ DATABASE_URL })).of('pooler')).toMatchObject({
        verdict: 'FAIL',
        remedy: 'set DATABASE_POOLER=true, and MIGRATION_DATABASE_URL to the database itself',
      })
      await expect(startHere(DATABASE_URL)).rejects.toThrow('DATABASE_URL leads to a pooler in transaction mode')
      expect((await examine({ DATABASE_URL, ...cure })).complaints).toEqual([])
      await startHere(DATABASE_URL, cure)
    },
  )
})
