import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../src/data/archive/sums.ts'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import { nowhere } from '../support/cli.ts'
import { atriumHere } from '../support/cli-here.ts'
import { TEST_SECRET } from '../support/config.ts'
import { type Inspector, openInspector } from '../support/database.ts'
import { excusedFrom } from '../support/exceptions.ts'
import { until } from '../support/patience.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'

/** A command that is broken off in the middle can be said again: the same line works, or says what to do. */
const ENDS = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const
type End = (typeof ENDS)[number]
const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const CLI = fromHere('../../appliance/cli.ts')
const COMPILED = fromHere('../../node_modules/.cache/atrium')
const PASSWORD = 'correct horse battery staple'
const dir = mkdtempSync(join(tmpdir(), 'atrium-broken-off-'))
let postgres: OwnPostgres
let look: Inspector
let env: Record<string, string>

/** These change nothing that is kept. */
const READS = [
  ...['migrate status', 'tenant list', 'tenant where', 'audit verify', 'citus status', 'openapi'],
  ...['config', 'doctor', 'plugins'],
]
/** These are broken off elsewhere. */
const ELSEWHERE: Record<string, string> = {
  ...excusedFrom('a command that is broken off in the middle'),
  'migrate up': 'test/faults/migrations.test.ts',
  restore: 'test/faults/backup.test.ts',
  'citus distribute': 'test/faults/citus-kills.test.ts',
  'tenant isolate': 'one command of Citus, which takes it back',
  'tenant move': 'one command of Citus, which takes it back',
  seed: 'test/api/demo-seed.test.ts',
  'files sweep': 'moves one file after the other, and begins anew each time',
}
/** These are one commit each, as `admin passwd` is. */
const ONE_COMMIT = [
  ...['admin create', 'admin restore', 'admin appoint', 'announce'],
  ...['tenant create', 'tenant disable', 'tenant enable', 'tenant renew', 'tenant erase'],
]

/** A tenant for each end, because only one export of a tenant runs at a time. */
const tenantOf = (end: End) => `of-${end.toLowerCase()}`
/** Each command that writes, by its name. It waits in the middle, because of HOLD. */
const WRITES: Record<string, (end: End) => string> = {
  backup: (end) => `backup ${join(dir, `${end}.tar`)}`,
  'admin passwd': (end) => `admin passwd --tenant ${tenantOf(end)}`,
  'tenant export': (end) => `tenant export ${tenantOf(end)} ${join(dir, `of-${end}.tar`)}`,
  'tenant import': (end) => `tenant import ${join(dir, 'whole.tar')} --code brought-${end.toLowerCase()}`,
}

/** A command that reads or writes one of these waits while somebody holds the lock. */
const HOLD = `
  create schema fault; grant usage on schema fault to public;
  create function fault.hold() returns boolean language plpgsql as $$ begin
    perform pg_advisory_xact_lock_shared(7); return true; end $$;
  create policy hold on files as restrictive using (fault.hold());
  create policy hold on audit_operations as restrictive for insert with check (fault.hold());`
const WAITING = `select count(*) from pg_locks where not granted`

beforeAll(async () => {
  postgres = await startOwnPostgres({ durable: false, pooled: false })
  const superuser = await postgres.createDatabase()
  look = await openInspector(superuser)
  await look.rows(`create role plain login password 'plain'`)
  await look.rows(`alter database ${new URL(superuser).pathname.slice(1)} owner to plain`)
  // An owner without this role cannot erase tenants.
  const role = serviceRoleOf(new URL(superuser).pathname.slice(1))
  await look.rows(`create role ${role} nologin`)
  await look.rows(`grant ${role} to plain`)
  const { href } = Object.assign(new URL(superuser), { username: 'plain', password: 'plain' })
  env = { DATABASE_URL: href, FILE_STORAGE_ROOT: join(dir, 'files'), JWT_SECRET: TEST_SECRET }
  await works('migrate up')
  await works('admin create')
  for (const code of ENDS.map(tenantOf)) {
    await works(`tenant create ${code} --admin-email a@b.example`)
    await give(code)
  }
  await works(`tenant export ${tenantOf('SIGINT')} ${join(dir, 'whole.tar')}`)
  await look.rows(HOLD)
})
afterAll(async () => {
  await look?.close()
  await postgres?.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function give(code: string) {
  const bytes = Buffer.from('a file')
  const name = `${'0'.repeat(32)}.txt`
  const [{ id }] = (await look.rows(`select id from tenants where code = $1`, [code])) as [{ id: string }]
  mkdirSync(join(dir, 'files', id), { recursive: true })
  writeFileSync(join(dir, 'files', id, name), bytes)
  await look.rows(
    `insert into files (tenant_id, filename, original_name, content_type, size, sha256, uploader_id, created_at)
     select tenant_id, $2, 'a.txt', 'text/plain', $3, $4, id, now() from users where tenant_id = $1`,
    [id, name, bytes.length, sha256(bytes)],
  )
}

const say = (line: string) => atriumHere(line, { env, stdin: PASSWORD })

async function works(line: string) {
  const said = await say(line)
  expect(said, `${line}: ${said.err}`).toMatchObject({ code: 0 })
}

function start(line: string) {
  const child = spawn(process.execPath, [CLI, ...line.split(' ')], {
    env: { NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: COMPILED, ...nowhere(), ...env },
  })
  const running = { child, err: '', isOver: false, code: null as number | null }
  child.stderr.on('data', (text) => (running.err += text))
  child.stdin.on('error', () => {}).end(PASSWORD)
  child.once('close', (code) => Object.assign(running, { isOver: true, code }))
  return running
}

describe('a command that is broken off in the middle can be said again', () => {
  test('each one that writes is here', async () => {
    const { out } = await say('--help')
    const names = [...out.matchAll(/^ {2}atrium ((?:[a-z-]+ )?[a-z-]+) {2}/gm)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(20)
    expect(names.toSorted()).toEqual(
      [...READS, ...ONE_COMMIT, ...Object.keys(ELSEWHERE), ...Object.keys(WRITES)].toSorted(),
    )
  })

  test.each(Object.keys(WRITES))('atrium %s', async (name) => {
    const holder = new pg.Client(look.url)
    await holder.connect()
    await holder.query('select pg_advisory_lock(7)')
    const lines = ENDS.map(WRITES[name]!)
    const running = lines.map(start)
    try {
      await until(async () => running.some(({ isOver }) => isOver) || (await look.count(WAITING)) === ENDS.length)
      expect(running.map(({ isOver, err }) => isOver && err)).toEqual([false, false, false])
      for (const [at, end] of ENDS.entries()) running[at]!.child.kill(end)
      await until(() => running.every(({ isOver }) => isOver))
      for (const { code } of running) expect(code).not.toBe(0)

      // What was killed comes first: the server does not know yet that nobody waits for its statement.
      const again = Promise.all(lines.toReversed().map(works))
      if (name.startsWith('tenant')) await Promise.race([again, until(async () => (await look.count(WAITING)) === 1)])
      await holder.end()
      await again
    } finally {
      await holder.end()
    }
  })

  test('and an import leaves no tenant that was not filled', async () => {
    expect(await look.count(`select count(*) from tenants where status = 'closing'`)).toBe(0)
  })
})
