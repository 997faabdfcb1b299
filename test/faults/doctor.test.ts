import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { migrate } from '../../src/data/setup/migrate.ts'
import { OWN_MIGRATIONS } from '../../src/data/setup/migrations.ts'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import { atrium } from '../support/cli.ts'
import { cloneDatabase as cloneTemplate, type Inspector, openInspector } from '../support/database.ts'
import { fillDisk, mountAt, tryToMount } from '../support/disk.ts'
import { inTime } from '../support/patience.ts'
import { pgbouncerIsHere, startPgBouncer } from '../support/pgbouncer.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'
import { redisIsHere, startRedis } from '../support/redis.ts'
import { startProcess } from '../support/service.ts'

const dir = mkdtempSync(join(tmpdir(), 'atrium-doctor-'))
const silent = { info() {}, warn() {}, error() {} }
const opened: Inspector[] = []
let postgres: OwnPostgres
beforeAll(async () => {
  postgres = await startOwnPostgres({ durable: true })
})
afterAll(async () => {
  await Promise.all(opened.map((look) => look.close()))
  await postgres?.stop()
  rmSync(dir, { recursive: true, force: true })
})

interface Finding {
  check: string
  verdict: string
  what: string
  remedy?: string
}

async function givenDatabase() {
  const url = await postgres.createDatabase()
  await migrate(url, silent, [OWN_MIGRATIONS])
  const look = await openInspector(url)
  opened.push(look)
  return { url, look }
}

/** What the doctor says of a set-up that is sound but for the given; nothing means that all is well. */
async function examine(env: Record<string, string>) {
  const said = await atrium('doctor --json', { env: { FILE_STORAGE_ROOT: join(dir, 'files'), ...env } })
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
    const { url } = await givenDatabase()

    const { code, out } = await atrium('doctor', {
      env: { DATABASE_URL: url, MIGRATION_DATABASE_URL: url, FILE_STORAGE_ROOT: join(dir, 'fine') },
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

  test.skipIf(!redisIsHere('the doctor on a set-up with Redis'))('may have a Redis', async () => {
    const [{ url }, redis] = await Promise.all([givenDatabase(), startRedis()])
    const { code, findings } = await examine({ DATABASE_URL: url, REDIS_URL: redis.url })
    await redis.stop()

    expect(findings).toContainEqual({
      check: 'redis',
      verdict: 'ok',
      what: expect.stringMatching(/^answers in .* ms$/),
    })
    expect(code).toBe(0)
  })

  test('may be the embedded one, with the service running on it and after it has stopped', async () => {
    const env = { DATA_DIR: join(dir, 'embedded'), DATABASE_URL: '' }
    const service = await startProcess({ databaseUrl: '', env })

    const during = await examine(env)
    const tenants = await atrium('tenant list', { env })
    expect(await service.remote.probe('/readyz')).toMatchObject({ status: 200 })
    await service.end('SIGTERM')
    const after = await examine(env)

    expect(during).toMatchObject({ code: 0, complaints: [] })
    expect(tenants).toMatchObject({ code: 0, out: expect.stringMatching(/^ {2}default +active/) })
    expect(after).toMatchObject({ code: 0, complaints: [] })
  })
})

describe('a set-up that is not sound', () => {
  test('has migrations behind', async () => {
    const { url, look } = await givenDatabase()
    await look.rows(`delete from schema_migrations where name ~ '^000[45]'`)
    await look.rows(`insert into schema_migrations (name, checksum) values ('9999_tomorrow.sql', '')`)

    expect(await examine({ DATABASE_URL: url })).toMatchObject({
      code: 1,
      complaints: ['FAIL migrations: missing: 0004_menus.sql, 0005_content_portal.sql'],
    })
  })

  test('was migrated by a version that is gone, or by a newer one', async () => {
    const [changed, newer] = await Promise.all([givenDatabase(), givenDatabase()])
    await changed.look.rows(`update schema_migrations set checksum = 'another' where name ~ '^0002'`)
    await newer.look.rows(`insert into schema_migrations (name, checksum) values ('9999_tomorrow.sql', '')`)

    expect(await examine({ DATABASE_URL: changed.url })).toMatchObject({
      code: 1,
      complaints: ['FAIL migrations: changed after they were applied: 0002_organization_approvals.sql'],
    })
    expect(await examine({ DATABASE_URL: newer.url })).toMatchObject({
      code: 1,
      complaints: ['FAIL migrations: a newer version has applied: 9999_tomorrow.sql'],
    })
    expect(await examine({ DATABASE_URL: newer.url, ALLOW_DOWNGRADE: 'true' })).toMatchObject({
      code: 0,
      complaints: ['warn migrations: a newer version has applied: 9999_tomorrow.sql'],
    })
  })

  test('has a table without forced row security, and one without a policy', async () => {
    const { url, look } = await givenDatabase()
    await look.rows('alter table tasks no force row level security')
    await look.rows('drop policy tenant_isolation on comments')

    expect(await examine({ DATABASE_URL: url })).toMatchObject({
      code: 1,
      complaints: [
        'FAIL isolation: table comments does not have exactly the one policy tenant_isolation',
        'FAIL isolation: table tasks does not force row security',
      ],
    })
  })

  test('has a Redis that is away: that is worth knowing, and no failure', async () => {
    const { url } = await givenDatabase()
    const port = await freePort()

    expect(await examine({ DATABASE_URL: url, REDIS_URL: `redis://127.0.0.1:${port}` })).toMatchObject({
      code: 0,
      complaints: [expect.stringMatching(/^warn redis: does not answer: .*ECONNREFUSED/)],
    })
  })

  test('has a first tenant that nobody gets into, or that is open to strangers in production', async () => {
    const url = await cloneTemplate()
    const look = await openInspector(url)
    opened.push(look)
    const firstTenant = async (change: string, env = {}) => {
      await look.rows(`update tenants set ${change} where id = 1`)
      return (await examine({ DATABASE_URL: url, ...env })).findings.find(({ check }) => check === 'first tenant')
    }
    const production = { NODE_ENV: 'production', CORS_ORIGINS: 'https://a.example' }

    expect(await firstTenant(`registration = 'closed'`)).toMatchObject({ verdict: 'ok' })
    expect(await firstTenant(`registration = 'open'`)).toMatchObject({ verdict: 'ok' })
    expect(await firstTenant('id = 1', production)).toMatchObject({
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
    expect(await atrium('tenant enable default', { env: { DATABASE_URL: url } })).toMatchObject({ code: 0 })
    expect(await firstTenant('id = 1')).toMatchObject({ verdict: 'ok' })
  })

  test('has an audit whose rows get no link', async () => {
    const url = await cloneTemplate()
    const look = await openInspector(url)
    opened.push(look)
    await look.rows(
      `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent, created_at)
       values (1, 'old', 'PUT', '/', '/', 200, 1, '', '', now() - interval '3 hours')`,
    )
    const ofAudit = async () => (await examine({ DATABASE_URL: url })).findings.find(({ check }) => check === 'audit')
    expect(await ofAudit()).toEqual({
      check: 'audit',
      verdict: 'warn',
      what: 'rows have had no link for 180 minutes, so a change of them would not be seen',
      remedy: expect.stringMatching(/^a running service links them/),
    })

    const service = await startProcess({ databaseUrl: url })
    for (const end = Date.now() + inTime(30_000); Date.now() < end; await sleep(500))
      if ((await look.count('select count(*) from audit_links')) > 0) break
    await service.end('SIGTERM')
    expect(await ofAudit()).toMatchObject({ verdict: 'ok' })
  })

  test.skipIf(!tryToMount())('has a full disk: the doctor says so, of the database and of the files', async () => {
    const full = join(dir, 'full')
    mkdirSync(full)
    const unmount = mountAt(full, 400)
    const env = { DATA_DIR: full, DATABASE_URL: '', FILE_STORAGE_ROOT: join(full, 'files') }
    const service = await startProcess({ databaseUrl: '', env })
    expect(await atrium('doctor', { env })).toMatchObject({ code: 0 })
    fillDisk(full)

    const { code, findings } = await examine(env)
    await service.end('SIGTERM')
    unmount()

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
      remedy: `the disk of ${full}/files is full: make room on it`,
    })
  })

  test('takes no writes: the server is read-only', async () => {
    const { url } = await givenDatabase()
    const readOnly = `${url}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`
    expect((await examine({ DATABASE_URL: readOnly })).findings).toContainEqual({
      check: 'writes',
      verdict: 'FAIL',
      what: 'every command is a 503: the server is a standby, or read-only',
      remedy: 'name the primary in DATABASE_URL',
    })
  })

  test('cannot write its uploads', async () => {
    const { url } = await givenDatabase()
    const file = join(dir, 'a-file-and-no-folder')
    writeFileSync(file, '')

    expect(await examine({ DATABASE_URL: url, FILE_STORAGE_ROOT: join(file, 'files') })).toMatchObject({
      code: 1,
      complaints: [expect.stringMatching(/^FAIL files: .*a-file-and-no-folder\/files: ENOTDIR/)],
    })
  })

  test('has a role that may neither migrate nor become the service', async () => {
    const { url, look } = await givenDatabase()
    await look.rows(`create role weak login password 'weak'`)
    const weak = url.replace(/\/\/[^@]*@/, '//weak:weak@')

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
    const [here, there] = await Promise.all([givenDatabase(), givenDatabase()])

    expect(await examine({ DATABASE_URL: here.url, MIGRATION_DATABASE_URL: there.url })).toMatchObject({
      code: 1,
      complaints: ['FAIL migrations: MIGRATION_DATABASE_URL leads to another database'],
    })
  })

  test('has no database, and a configuration with mistakes', async () => {
    const port = await freePort()
    expect(await examine({ DATABASE_URL: `postgres://x@127.0.0.1:${port}/x` })).toMatchObject({
      code: 1,
      complaints: [expect.stringMatching(/^FAIL database: cannot be reached: connect ECONNREFUSED/)],
    })
    expect(await examine({ NODE_ENV: 'production', PORT: 'eighty', S3_BUKET: 'x' })).toMatchObject({
      code: 1,
      complaints: [
        'FAIL configuration: PORT: must be a whole number',
        ...['CORS_ORIGINS', 'DATABASE_URL', 'ADMIN_PASSWORD', 'JWT_SECRET'].map(
          (name) => `FAIL configuration: ${name}: production needs it`,
        ),
        'warn configuration: S3_BUKET is not read',
      ],
    })
  })

  test('acknowledges what is not on the disk, and has too few connections', async () => {
    const { url } = await givenDatabase()
    const hasty = `${url}?options=${encodeURIComponent('-c synchronous_commit=off')}`

    expect(await examine({ DATABASE_URL: hasty, DATABASE_HELD_LINES: '64', DATABASE_LINES: '64' })).toMatchObject({
      code: 1,
      complaints: [
        'FAIL durability: synchronous_commit is off',
        expect.stringMatching(/^FAIL connections: .* room for 0 replicas of 138$/),
      ],
    })
  })
})

test('a role that bypasses row security fails, whatever the tables say', async () => {
  const { url, look } = await givenDatabase()
  const role = serviceRoleOf(new URL(url).pathname.slice(1))
  await look.rows(`alter role ${role} bypassrls`)

  expect(await examine({ DATABASE_URL: url })).toMatchObject({
    code: 1,
    complaints: [`FAIL isolation: the role ${role} bypasses row security`],
  })
})

test.skipIf(!pgbouncerIsHere('a pooler that nobody has told of'))(
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
