import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/data/setup/migrate.ts'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import { extendChain } from '../../src/domains/audit/chain/extend.ts'
import { migrationsOf } from '../../src/load-domains.ts'
import { atrium } from '../support/cli.ts'
import { atriumHere } from '../support/cli-here.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { fillDisk, mountAt, tryToMount } from '../support/disk.ts'
import { domains } from '../support/domains.ts'
import { pgbouncerIsHere, startPgBouncer } from '../support/pgbouncer.ts'
import { makeCluster, type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'
import { redisIsHere, startRedis } from '../support/redis.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { openWorld } from '../support/world.ts'

const dir = mkdtempSync(join(tmpdir(), 'atrium-doctor-'))
const silent = { info() {}, warn() {}, error() {} }
const opened: Inspector[] = []
let postgres: OwnPostgres
/** a database with nothing wrong */
let sound: string
beforeAll(async () => {
  postgres = await startOwnPostgres({ durable: true })
  sound = await postgres.createDatabase()
  await migrate(sound, silent, migrationsOf(domains))
})
// The doctor counts connections.
afterEach(async () => {
  await Promise.all(opened.splice(0).map((look) => look.close()))
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(dir, { recursive: true, force: true })
})

interface Finding {
  check: string
  verdict: string
  what: string
  remedy?: string
}

const inspector = async (url: string) => {
  const look = await openInspector(url)
  opened.push(look)
  return look
}

const withOptions = (options: string) => `${sound}?options=${encodeURIComponent(options)}`

/** A copy of the sound one, to be changed. */
async function givenDatabase() {
  const url = await postgres.createDatabase(sound)
  return { url, look: await inspector(url) }
}

/** What the doctor says of a set-up that is sound but for the given; nothing means that all is well. */
async function examine(env: Record<string, string>) {
  const said = await atriumHere('doctor --json', { env: { FILE_STORAGE_ROOT: join(dir, 'files'), ...env } })
  const findings: Finding[] = said.json()
  return {
    code: said.code,
    findings,
    complaints: findings
      .filter(({ verdict }) => verdict !== 'ok')
      .map(({ verdict, check, what }) => `${verdict} ${check}: ${what}`),
  }
}

describe('a set-up that is sound', () => {
  test('gets a line for everything that was looked at, and exit code 0', async () => {
    const { code, out } = await atrium('doctor', {
      env: { DATABASE_URL: sound, MIGRATION_DATABASE_URL: sound, FILE_STORAGE_ROOT: join(dir, 'fine') },
    })

    expect(out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^ok {4}configuration {2}valid, for development; 5 variables are set$/),
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
      expect.stringMatching(/^ok {4}audit {10}its rows are linked; atrium audit verify checks them$/),
      expect.stringMatching(/^ok {4}redis {10}none is configured/),
      expect.stringMatching(/^ok {4}files {10}\S+fine takes files and gives them back$/),
      expect.stringMatching(/^ok {4}mail {11}is kept in DATA_DIR and shown under \/mail$/),
    ])
    expect(code).toBe(0)
    expect(existsSync(join(dir, 'fine', '0'))).toBe(false)
  })

  test.skipIf(!redisIsHere())('may have a Redis', async () => {
    const redis = await startRedis()
    const { code, findings } = await examine({ DATABASE_URL: sound, REDIS_URL: redis.url })
    await redis.stop()

    expect(findings).toContainEqual({
      check: 'redis',
      verdict: 'ok',
      what: expect.stringMatching(/^answers in .* ms$/),
    })
    expect(code).toBe(0)
  })
})

const mayMount = tryToMount()

describe('the embedded database', () => {
  const home = join(dir, 'embedded')
  const env = { DATA_DIR: home, DATABASE_URL: '' }
  let unmount = () => {}
  let service: ServiceProcess
  beforeAll(async () => {
    mkdirSync(home)
    if (mayMount) unmount = mountAt(home, 200)
    await makeCluster(home)
    service = await startProcess({ databaseUrl: '', env })
  })
  afterAll(async () => {
    await service?.end('SIGKILL')
    unmount()
  })

  test('is looked at while the service runs on it', async () => {
    expect(await examine(env)).toMatchObject({ code: 0, complaints: [] })
    expect(await atriumHere('tenant list', { env })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ {2}default +active/),
    })
    expect(await service.remote.probe('/readyz')).toMatchObject({ status: 200 })
  })

  test.skipIf(!mayMount)('on a full disk: the doctor says so, of the database and of the files', async () => {
    const free = fillDisk(home)
    const { code, findings } = await examine({ ...env, FILE_STORAGE_ROOT: join(home, 'files') })
    free()

    expect(code).toBe(1)
    expect(findings).toContainEqual({
      check: 'writes',
      verdict: 'FAIL',
      what: expect.stringMatching(
        /^every command is a 503: the disk of the database is full \(.*No space left on device/,
      ),
      remedy: 'make room on it; nothing has to be restarted',
    })
    expect(findings).toContainEqual({
      check: 'files',
      verdict: 'FAIL',
      what: expect.stringContaining('ENOSPC'),
      remedy: `the disk of ${home}/files is full: make room on it`,
    })
  })

  test('and after it has stopped', async () => {
    await service.end('SIGTERM')
    expect(await examine(env)).toMatchObject({ code: 0, complaints: [] })
  })
})

describe('a set-up that is not sound', () => {
  const NEWER = `insert into schema_migrations (name, checksum) values ('9999_tomorrow.sql', '')`

  test.each<[string, string, Record<string, string>, number, string[]]>([
    [
      'has migrations behind',
      `delete from schema_migrations where name ~ '^000[45]'; ${NEWER}`,
      {},
      1,
      ['FAIL migrations: missing: 0004_work.sql, 0005_content.sql'],
    ],
    [
      'was migrated by a version that is gone',
      `update schema_migrations set checksum = 'another' where name ~ '^0002'`,
      {},
      1,
      ['FAIL migrations: changed after they were applied: 0002_people.sql'],
    ],
    [
      'was made before the first release',
      `update schema_migrations set name = 'old_' || name where name not like '%/%'`,
      {},
      1,
      ['FAIL migrations: they are those of no version'],
    ],
    [
      'was migrated by a newer version',
      NEWER,
      {},
      1,
      ['FAIL migrations: a newer version has applied: 9999_tomorrow.sql'],
    ],
    [
      'was migrated by a newer version, which is allowed',
      NEWER,
      { ALLOW_DOWNGRADE: 'true' },
      0,
      ['warn migrations: a newer version has applied: 9999_tomorrow.sql'],
    ],
    [
      'has a table without forced row security, and one without a policy',
      'alter table tasks no force row level security; drop policy tenant_isolation on comments',
      {},
      1,
      [
        'FAIL isolation: table comments does not have exactly the one policy tenant_isolation',
        'FAIL isolation: table tasks does not force row security',
      ],
    ],
  ])('%s', async (_, change, env, code, complaints) => {
    const { url, look } = await givenDatabase()
    await look.rows(change)
    expect(await examine({ DATABASE_URL: url, ...env })).toMatchObject({ code, complaints })
  })

  const notAFolder = join(dir, 'a-file-and-no-folder')

  test.each<[string, () => Record<string, string>, number, (string | RegExp)[]]>([
    [
      'has a Redis that is away: that is worth knowing, and no failure',
      () => ({ REDIS_URL: 'redis://127.0.0.1:1' }),
      0,
      [/^warn redis: does not answer: .*ECONNREFUSED/],
    ],
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
        ...['CORS_ORIGINS', 'DATABASE_URL', 'ADMIN_PASSWORD', 'JWT_SECRET'].map(
          (name) => `FAIL configuration: ${name}: production needs it`,
        ),
        'warn configuration: S3_BUKET is not read',
      ],
    ],
    [
      'acknowledges what is not on the disk, and has too few connections',
      () => ({
        DATABASE_URL: withOptions('-c synchronous_commit=off'),
        DATABASE_HELD_LINES: '64',
        DATABASE_LINES: '64',
      }),
      1,
      ['FAIL durability: synchronous_commit is off', /^FAIL connections: .* room for 0 replicas of 138$/],
    ],
  ])('%s', async (_, env, code, complaints) => {
    writeFileSync(notAFolder, '')
    expect(await examine({ DATABASE_URL: sound, ...env() })).toMatchObject({
      code,
      complaints: complaints.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
    })
  })

  test('has a first tenant that nobody gets into, or that is open to strangers in production', async () => {
    const url = await cloneDatabase()
    const look = await inspector(url)
    const firstTenant = async (change: string, env = {}) => {
      await look.rows(`update tenants set ${change} where id = 1`)
      return (await examine({ DATABASE_URL: url, ...env })).findings.find(({ check }) => check === 'first tenant')
    }
    const production = { NODE_ENV: 'production', CORS_ORIGINS: 'https://a.example' }

    expect(await firstTenant(`registration = 'open'`, production)).toMatchObject({
      verdict: 'warn',
      what: 'strangers may register in default',
    })
    expect(await firstTenant(`status = 'disabled'`)).toMatchObject({
      verdict: 'FAIL',
      what: 'the tenant default, in which the system administrator signs in, is disabled: nobody can sign in to it',
      remedy: 'atrium tenant enable default',
    })
    expect(await firstTenant(`status = 'active', expired_at = now() - interval '1 day'`)).toMatchObject({
      verdict: 'FAIL',
      what: expect.stringMatching(/, expired at \d{4}-\d\d-\d\dT/),
    })
    expect(await atriumHere('tenant enable default', { env: { DATABASE_URL: url } })).toMatchObject({ code: 0 })
    expect(await firstTenant('id = 1')).toMatchObject({ verdict: 'ok' })
  })

  test('has an audit whose rows get no link', async () => {
    const world = await openWorld()
    await world.look.rows(
      `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent, created_at)
       values (1, 'old', 'PUT', '/', '/', 200, 1, '', '', now() - interval '3 hours')`,
    )
    const ofAudit = async () =>
      (await examine({ DATABASE_URL: world.databaseUrl })).findings.find(({ check }) => check === 'audit')
    expect(await ofAudit()).toEqual({
      check: 'audit',
      verdict: 'warn',
      what: expect.stringMatching(/^rows have had no link for 1[89]\d minutes, so a change of them would not be seen$/),
      remedy: expect.stringMatching(/^a running service links them/),
    })

    await extendChain(world.database, 1)
    expect(await ofAudit()).toMatchObject({ verdict: 'ok' })
    await world.close()
  })

  test('takes no writes: the server is read-only', async () => {
    const readOnly = withOptions('-c default_transaction_read_only=on')
    expect((await examine({ DATABASE_URL: readOnly })).findings).toContainEqual({
      check: 'writes',
      verdict: 'FAIL',
      what: 'every command is a 503: the server is a standby, or read-only',
      remedy: 'name the primary in DATABASE_URL',
    })
  })

  test('has a role that may neither migrate nor become the service', async () => {
    await (await inspector(sound)).rows(`create role weak login password 'weak'`)
    const weak = sound.replace(/\/\/[^@]*@/, '//weak:weak@')

    expect(await examine({ DATABASE_URL: weak })).toMatchObject({
      code: 1,
      complaints: [
        expect.stringMatching(/^FAIL migrations: weak may not make tables/),
        expect.stringMatching(
          /^FAIL role: weak may not become atrium_service_faults_\d+, the role in which the service works$/,
        ),
      ],
    })
  })

  test('migrates another database than it works on', async () => {
    const there = await postgres.createDatabase()

    expect(await examine({ DATABASE_URL: sound, MIGRATION_DATABASE_URL: there })).toMatchObject({
      code: 1,
      complaints: ['FAIL migrations: MIGRATION_DATABASE_URL leads to another database'],
    })
  })
})

test('a role that bypasses row security fails, whatever the tables say', async () => {
  const [role, look] = [serviceRoleOf(new URL(sound).pathname.slice(1)), await inspector(sound)]
  await look.rows(`alter role ${role} bypassrls`)
  const found = await examine({ DATABASE_URL: sound })
  await look.rows(`alter role ${role} nobypassrls`)

  expect(found).toMatchObject({
    code: 1,
    complaints: [`FAIL isolation: the role ${role} bypasses row security`],
  })
})

test.skipIf(!pgbouncerIsHere())(
  'a pooler that the configuration does not name is reported by the doctor and by the start, and what they advise cures',
  async () => {
    const { url } = await givenDatabase()
    const pooler = await startPgBouncer(url, 4)
    const env = { DATABASE_URL: pooler.through(url), NODE_ENV: 'production', CORS_ORIGINS: 'https://a.example' }
    const secrets = {
      JWT_SECRET: 'a-secret-of-the-tests-that-nobody-else-has',
      ADMIN_PASSWORD: 'a-password-of-the-tests',
    }

    const found = await examine(env)
    const started = await startProcess({ databaseUrl: '', env: { ...env, ...secrets } }).catch((error) => error.message)
    const cure = { DATABASE_POOLER: 'true', MIGRATION_DATABASE_URL: url }
    const cured = await examine({ ...env, ...cure, ...secrets })
    const service = await startProcess({ databaseUrl: '', env: { ...env, ...secrets, ...cure } })
    await service.end('SIGTERM')
    await pooler.stop()

    expect(found.findings.find(({ check }) => check === 'pooler')).toMatchObject({
      verdict: 'FAIL',
      remedy: 'set DATABASE_POOLER=true, and MIGRATION_DATABASE_URL to the database itself',
    })
    expect(started).toContain('DATABASE_URL leads to a pooler in transaction mode')
    expect(started, 'a sentence, and no stack').not.toContain('    at ')
    expect(cured.complaints.filter((complaint) => complaint.startsWith('FAIL'))).toEqual([])
  },
)
