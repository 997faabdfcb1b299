import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { sha256 } from '../../src/data/archive/sums.ts'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import { nowhere } from './cli.ts'
import { atriumHere } from './cli-here.ts'
import { TEST_SECRET } from './config.ts'
import { openInspector } from './database.ts'
import { openTransaction } from './interleave.ts'
import { until } from './patience.ts'
import { startOwnPostgres } from './postgres.ts'

/** How a command is broken off. */
export const ENDS = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const
export type End = (typeof ENDS)[number]
/** There is a tenant for each end. */
export const tenantOf = (end: End) => `of-${end.toLowerCase()}`

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const CLI = fromHere('../../appliance/cli.ts')
const COMPILED = fromHere('../../node_modules/.cache/atrium')
const PASSWORD = 'correct horse battery staple'

/** A command that reads or writes one of these waits while somebody holds the lock. */
const HOLD = `
  create schema fault; grant usage on schema fault to public;
  create function fault.hold() returns boolean language plpgsql as $$ begin
    perform pg_advisory_xact_lock_shared(7); return true; end $$;
  create policy hold on files as restrictive using (fault.hold());
  create policy hold on audit_operations as restrictive for insert with check (fault.hold());`
const WAITING = `select count(*) from pg_locks where not granted`

/**
 * An installation with some tenants, whose commands can be held in the middle.
 * @param dir for its files
 */
export async function openHeld(dir: string) {
  const postgres = await startOwnPostgres({ durable: false, pooled: false })
  const superuser = await postgres.createDatabase()
  const look = await openInspector(superuser)
  await look.rows(`create role plain login password 'plain'`)
  await look.rows(`alter database ${new URL(superuser).pathname.slice(1)} owner to plain`)
  // An owner without this role cannot erase tenants.
  const role = serviceRoleOf(new URL(superuser).pathname.slice(1))
  await look.rows(`create role ${role} nologin`)
  await look.rows(`grant ${role} to plain`)
  const { href } = Object.assign(new URL(superuser), { username: 'plain', password: 'plain' })
  const env = {
    DATABASE_URL: href,
    // Longer than a slow machine lets a command wait here.
    DATABASE_TIMEOUT_MS: '60000',
    FILE_STORAGE_ROOT: join(dir, 'files'),
    JWT_SECRET: TEST_SECRET,
  }
  await works('migrate up')
  await works('admin create')
  for (const code of ENDS.map(tenantOf)) {
    await works(`tenant create ${code} --admin-email a@b.example`)
    await give(code)
  }
  const hold = () => look.rows(HOLD)
  return { look, say, works, hold, breakOff }

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

  function say(line: string) {
    return atriumHere(line, { env, stdin: PASSWORD })
  }

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

  /**
   * Ends a command in the middle, in each of these ways, and says the same lines again, which then work.
   * @param isAlone whether a line waits for what was killed, which the server still has
   */
  async function breakOff(line: (end: End) => string, ends: readonly End[], { isAlone = false } = {}) {
    const { query, release } = await openTransaction(look.url)
    await query('select pg_advisory_lock(7)')
    const lines = ends.map(line)
    const running = lines.map(start)
    try {
      await until(async () => running.some(({ isOver }) => isOver) || (await look.count(WAITING)) === ends.length)
      expect(running.map(({ isOver, err }) => isOver && err)).toEqual([false, false])
      for (const [at, end] of ends.entries()) running[at]!.child.kill(end)
      await until(() => running.every(({ isOver }) => isOver))
      for (const { code } of running) expect(code).not.toBe(0)

      // What was killed comes first: the server does not know yet that nobody waits for its statement.
      const again = Promise.all(lines.toReversed().map(works))
      if (isAlone) await Promise.race([again, until(async () => (await look.count(WAITING)) === 1)])
      await release()
      await again
    } finally {
      await release()
    }
  }
}
