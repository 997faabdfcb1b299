import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { runCleanup } from '../../src/data/jobs/cleanup.ts'
import { everyTenant } from '../../src/data/jobs/every-tenant.ts'
import { openScope } from '../../src/data/tx/open-scope.ts'
import { retention } from '../../src/domains/audit/audit.actions.ts'
import { extendChain } from '../../src/domains/audit/chain/extend.ts'
import { verifyChain } from '../../src/domains/audit/chain/verify.ts'
import { countAllUnlinked } from '../../src/domains/audit/chain/waiting.ts'
import { chains } from '../../src/domains/audit/chain/worker.ts'
import { openLog } from '../../src/log.ts'
import { atriumHere } from '../support/cli-here.ts'
import { SERVICE_ROLE } from '../support/database.ts'
import { startJob } from '../support/jobs.ts'
import { canRun } from '../support/page-programs.ts'
import { until } from '../support/patience.ts'
import { holderOf } from '../support/servers.ts'
import { shifted } from '../support/shifted.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** The audit as evidence: a stream, and a chain of hashes that shows what was done to it. */
let world: World
let tenant: Tenant
let boss: Person
const logged: string[] = []
beforeAll(async () => {
  world = await openWorld({ logger: openLog('warn', { write: (line) => void logged.push(line) }) })
})
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
})
afterAll(() => world?.close())

const LINES = { accept: 'application/x-ndjson' }
const stream = (query = '', person = boss) => world.as(person).get(`/audit/operations${query}`, LINES)
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const read = async (query = '') => rowsOf((await stream(query)).expect(200))
const list = async (query = '') => (await world.as(boss).get(`/audit/operations${query}`)).expect(200)
/** Commands that are in the audit when they are answered. */
async function givenCommands(count: number, person = boss) {
  for (let at = 0; at < count; at++) (await world.as(person).put('/notifications/read-all')).expect(200)
}
/** Until it ends it may commit a row with a lower id, so that nobody links what comes later: no job of the service either. */
async function beginSlowCommand(databaseUrl = world.databaseUrl, { id } = tenant): Promise<pg.Client> {
  const slow = new pg.Client({ connectionString: await holderOf(databaseUrl, id) })
  await slow.connect()
  await slow.query('begin')
  await slow.query(INSERT, [id, 1, 'slow'])
  return slow
}
const verify = () => verifyChain(openScope(world.database, tenant.id))
const change = (sql: string, ...values: unknown[]) => world.look.rows(sql, [tenant.id, ...values])

describe('the stream', () => {
  test('has every operation once, oldest first, as the list shows it', async () => {
    await givenCommands(5)

    const answer = await stream()

    expect(answer.headers['content-type']).toBe('application/x-ndjson')
    expect(answer.headers['cache-control']).toBe('no-store')
    const rows = rowsOf(answer.expect(200))
    expect(rows).toEqual((await list('?pageSize=1000')).reverse())
    expect(rows.length).toBeGreaterThanOrEqual(5)
    expect(rows.every(({ chain }: any) => /^[0-9a-f]{64}$/.test(chain))).toBe(true)
  })

  test('continues after an id, begins with the oldest, and may be empty', async () => {
    await givenCommands(4)
    const all = await read('?after=0')

    expect(await read(`?after=${all[1].id}`)).toEqual(all.slice(2))
    expect(await read(`?after=${all.at(-1).id}`)).toEqual([])
    await givenCommands(1)
    expect(await read(`?after=${all.at(-1).id}`)).toHaveLength(1)
  })

  test('is longer than a page', async () => {
    await givenRows(1234)
    const answer = await fetched(boss)
    const rows = rowsOf(await answer.text())
    expect(rows.filter(({ requestId }: any) => requestId === 'r')).toHaveLength(1234)
    expect(rows.map(({ id }: any) => id)).toEqual(rows.map(({ id }: any) => id).sort((a: number, b: number) => a - b))
    expect((await verify()).broken).toBeUndefined()
    expect(logged.join('')).not.toContain('lready sent')
  })

  test('takes the filters of the list', async () => {
    const user = await world.givenUser(tenant)
    await givenCommands(2, user)
    ;(await world.as(user).put('/tasks/999999', { version: 0 })).expect(404)
    // What was refused is noted after its answer.
    const all = await until(async () => {
      const rows = await read()
      return rows.some(({ status }) => status === 404) && rows
    })
    const wanted = async (query: string) => (await read(`?${query}`)).map(({ id }: any) => id)
    const those = (isWanted: (row: any) => boolean) => all.filter(isWanted).map(({ id }: any) => id)

    expect(await wanted(`userId=${user.id}`)).toEqual(those(({ userId }) => userId === user.id))
    expect(await wanted('status=404')).toEqual(those(({ status }) => status === 404))
    expect(await wanted('method=PUT&path=/api/v1/tasks')).toEqual(those(({ path }) => /tasks/.test(path)))
    expect(await wanted(`before=${all[2].id}`)).toEqual(those(({ id }) => id < all[2].id))
    const noon = all[2].createdAt
    expect(await wanted(`to=${noon}`)).toEqual(those(({ createdAt }) => createdAt < noon))
    expect(await wanted(`from=${noon}`)).toEqual(those(({ createdAt }) => createdAt >= noon))
    ;(await stream('?status=7')).expect(400, 'VALIDATION_FAILED')
    ;(await stream('?after=-1')).expect(400, 'VALIDATION_FAILED')
  })

  test('is for those who may view the audit, of their tenant', async () => {
    ;(await stream('', await world.givenUser(tenant))).expect(403, 'PERMISSION_DENIED')
    expect((await world.anyone.get('/audit/operations', LINES)).status).toBe(401)
    const other = await world.givenTenant()
    expect(
      rowsOf((await stream('', other.administrator)).expect(200)).every(({ tenantId }) => tenantId === other.id),
    ).toBe(true)
  })
})

describe('the chain', () => {
  test('can be checked from the stream alone', async () => {
    await givenCommands(5)
    let before = '0'.repeat(64)
    for (const { chain, ...row } of await read()) {
      const canonical = JSON.stringify(row, Object.keys(row).sort())
      before = createHash('sha256')
        .update(before + canonical)
        .digest('hex')
      expect(chain).toBe(before)
    }
  })

  const programs = readFileSync('docs/integrations.md', 'utf8')
  const programIn = (language: string) =>
    new RegExp(`\`\`\`${language}\\n((?:#|//) [^\\n]*verify\\.[\\s\\S]*?)\`\`\``).exec(programs)![1]!
  const PROGRAMS = [
    { name: 'js', file: 'verify.mjs', run: process.execPath },
    { name: 'python', file: 'verify.py', run: 'python3' },
  ] as const

  test.each(PROGRAMS.filter(({ name }) => canRun(name)))(
    'and by the $name of the page for other systems',
    async ({ name, file, run }) => {
      const program = join(mkdtempSync(join(tmpdir(), 'atrium-verify-')), file)
      writeFileSync(program, programIn(name))
      await givenRows(3, 'Ünïcode “7” \\ \u2028 \u007f 审计')
      await givenCommands(3)
      const text = (await stream()).expect(200)
      const check = (input: string, ...args: string[]) =>
        spawnSync(run, [program, ...args], { input, encoding: 'utf8' })
      const rows = rowsOf(text)
      onTestFinished(() => rmSync(dirname(program), { recursive: true }))

      const whole = check(text)
      expect(whole).toMatchObject({ status: 0, stdout: `${rows.at(-1).chain}\n` })

      const lines = text.trimEnd().split('\n')
      expect(check(lines.slice(2).join('\n'), rows[1].chain).status).toBe(0)
      const changed = lines.with(2, lines[2]!.replace('"status":200', '"status":201'))
      for (const broken of [changed, lines.toSpliced(2, 1)]) {
        const found = check(broken.join('\n'))
        expect(found.status).toBe(1)
        expect(found.stdout + found.stderr).toMatch(/row \d+ does not fit/)
      }
    },
  )

  test('is added by the job, to older rows too', async () => {
    await givenRows(1100)
    const [newest] = await list('?pageSize=1')

    const worker = await startJob(world.database, chains, 5)
    await until(async () => (await list('?pageSize=1'))[0].chain !== null)
    await worker.stop()

    expect(await verify()).toMatchObject({ rows: await count(), end: { id: newest.id } })
  })

  test('of a tenant with few rows does not wait for one with many', async () => {
    const busy = tenant
    tenant = await world.givenTenant()
    await givenRows(3)
    const small = tenant
    tenant = busy
    await givenRows(2000)

    const worker = await startJob(world.database, chains, 5)
    const movedAt = async ({ id }: Tenant) => {
      const [chain] = await world.look.rows<{ at: number }>(
        `select extract(epoch from moved_at)::float8 as at from audit_chains where tenant_id = $1
           and last_id = (select max(id) from audit_operations where tenant_id = $1)`,
        [id],
      )
      return chain ? chain.at : false
    }
    const [ofBusy, ofSmall] = [await until(() => movedAt(busy)), await until(() => movedAt(small))]
    await worker.stop()

    expect(busy.id).toBeLessThan(small.id)
    expect(ofSmall).toBeLessThan(ofBusy)
    expect((await verify()).broken).toBeUndefined()
  })

  test('of a tenant goes on beside one whose chain was tampered with', async () => {
    await givenCommands(1)
    await change(
      "insert into audit_links (tenant_id, id, chain) select tenant_id, id, repeat('a', 64) from audit_operations where tenant_id = $1 on conflict do nothing",
    )
    boss = (await world.givenTenant()).administrator
    await givenCommands(1)

    const worker = await startJob(world.database, chains, 5)
    await until(async () => (await list('?pageSize=1'))[0].chain !== null)
    await until(() =>
      logged.join('').includes(`"tenantId":${tenant.id},"msg":"the chain of the audit could not be extended"`),
    )
    await worker.stop()

    await change('delete from audit_links where tenant_id = $1')
    logged.length = 0
  })

  test('waits for a command that may still commit a row with a lower id, and is null in the list until then', async () => {
    await givenCommands(1)
    const before = await read()
    const slow = await beginSlowCommand()
    await givenCommands(2)

    expect(await read(`?after=${before.at(-1).id}`)).toEqual([])
    expect((await list('?pageSize=1'))[0].chain).toBeNull()
    await slow.query('commit')
    await slow.end()

    const after = await read(`?after=${before.at(-1).id}`)
    expect(after.map(({ requestId }: any) => requestId === 'slow')).toEqual([true, false, false])
    expect((await verify()).broken).toBeUndefined()
  })

  test('reports how long the oldest row has waited for its link, and nothing once it has one', async () => {
    const own = await openWorld({ env: { METRICS_PORT: '9464' } })
    onTestFinished(() => own.close())
    const there = await own.givenTenant()
    const oldest = async () => {
      const text = await own.app.metrics!.metrics()
      return Number(/^audit_chain_oldest_seconds (.*)$/m.exec(text)![1])
    }
    // Its chain has just moved, so it is catching up.
    ;(await own.as(there.administrator).put('/notifications/read-all')).expect(200)
    await extendChain(own.database, there.id)
    const slow = await beginSlowCommand(own.databaseUrl, there)
    await own.look.rows(
      `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent, created_at)
       values ($1, 'old', 'PUT', '/', '/', 200, 1, '', '', now() - interval '1 hour')`,
      [there.id],
    )
    expect(await oldest()).toBeGreaterThanOrEqual(3600)
    const { rows, stalled } = await countAllUnlinked(own.database)
    expect(rows).toBeGreaterThan(0)
    expect(stalled).toBeLessThan(3600)
    await slow.end()

    for await (const { tenantId } of everyTenant(own.database)) while (await extendChain(own.database, tenantId));
    expect(await countAllUnlinked(own.database)).toEqual({ rows: 0, oldest: 0, stalled: 0 })
  })

  test('is the same whoever adds to it, many at once and while others write', async () => {
    const writing = Promise.all(Array.from({ length: 2 }, () => givenCommands(15)))
    const reading = Array.from({ length: 4 }, () => read())
    const pages = await Promise.all(reading)
    await writing
    const all = await read()
    expect(all).toHaveLength(await count())
    // What was read at any time is a beginning of what is there now.
    for (const page of pages) expect(page).toEqual(all.slice(0, page.length))
    expect(await verify()).toMatchObject({ rows: all.length, end: { chain: all.at(-1).chain } })
  })
})

describe('verifying finds', () => {
  let ids: number[]
  beforeEach(async () => {
    await givenCommands(8)
    ids = (await read()).map(({ id }: any) => id)
    expect(await verify()).toEqual({ rows: ids.length, end: expect.anything() })
  })

  test.each<[string, string]>([
    ['username', `'somebody else'`],
    ['status', '403'],
    ['duration', 'duration + 1'],
    ['created_at', shifted('created_at', '1 millisecond')],
    ['key_prefix', `'atr_x'`],
    ['user_id', 'null'],
    ['path', `path || '/'`],
  ])('a changed %s', async (column, value) => {
    await change(`update audit_operations set ${column} = ${value} where tenant_id = $1 and id = $2`, ids[3])
    expect(await verify()).toMatchObject({
      rows: 3,
      broken: { id: ids[3], what: expect.stringMatching(/does not fit/) },
    })
  })

  test('a removed row', async () => {
    await remove('audit_operations', ids[3]!)
    expect((await verify()).broken).toEqual({ id: ids[3], what: 'is missing' })
  })

  test('a row that was removed with its link', async () => {
    await remove('audit_operations', ids[3]!)
    await remove('audit_links', ids[3]!)
    expect((await verify()).broken).toMatchObject({
      id: ids[4],
      what: expect.stringContaining(`between ${ids[2]} and`),
    })
  })

  test('the first rows, if they were removed', async () => {
    for (const id of ids.slice(0, 2)) for (const table of TABLES) await remove(table, id)
    expect((await verify()).broken).toMatchObject({ id: ids[2] })
  })

  test('the last rows, if they were removed', async () => {
    for (const id of ids.slice(-2)) await remove('audit_operations', id)
    expect((await verify()).broken).toMatchObject({ id: ids.at(-2), what: 'is missing' })
    for (const id of ids.slice(-2)) await remove('audit_links', id)
    expect((await verify()).broken).toMatchObject({ id: ids.at(-1), what: expect.stringMatching(/^is missing/) })
  })

  test('all rows, if they were removed', async () => {
    for (const table of TABLES) await change(`delete from ${table} where tenant_id = $1`)
    expect((await verify()).broken).toMatchObject({ id: ids.at(-1) })
  })

  test('an inserted row, without and with a link', async () => {
    await remove('audit_operations', ids[3]!)
    await remove('audit_links', ids[3]!)
    await givenRowWithId(ids[3]!)
    expect((await verify()).broken).toMatchObject({ id: ids[3], what: expect.stringMatching(/^was inserted/) })
    await change('insert into audit_links values ($1, $2, $3)', ids[3], 'a'.repeat(64))
    expect((await verify()).broken).toMatchObject({ id: ids[3], what: expect.stringMatching(/does not fit/) })
  })

  test('rows that changed places', async () => {
    const swap = async (from: number, to: number) =>
      change('update audit_operations set id = $3 where tenant_id = $1 and id = $2', from, to)
    await change('update audit_operations set duration = 7 where tenant_id = $1 and id = $2', ids[5])
    await change('update audit_operations set duration = 0 where tenant_id = $1 and id = $2', ids[5])
    await swap(ids[3]!, Number.MAX_SAFE_INTEGER)
    await swap(ids[4]!, ids[3]!)
    await swap(Number.MAX_SAFE_INTEGER, ids[4]!)
    expect((await verify()).broken).toMatchObject({ id: ids[3] })
  })

  test('an end of the chain that was set back, or removed', async () => {
    await change(
      'update audit_chains set last_id = $2, last_chain = (select chain from audit_links where tenant_id = $1 and id = $2) where tenant_id = $1',
      ids[5],
    )
    expect((await verify()).broken).toMatchObject({ id: ids[6], what: expect.stringMatching(/^has a link/) })
    await change('delete from audit_chains where tenant_id = $1')
    expect((await verify()).broken).toMatchObject({ id: ids[0] })
  })

  test('a last row that was linked anew, which the end of the chain does not know', async () => {
    await change('update audit_chains set last_chain = $2 where tenant_id = $1', 'a'.repeat(64))
    expect((await verify()).broken).toEqual({
      id: ids.at(-1),
      what: 'does not have the link that the chain ends with',
    })
  })

  test('nothing in other tenants', async () => {
    await remove('audit_operations', ids[3]!)
    const other = await world.givenTenant()
    expect((await verifyChain(openScope(world.database, other.id))).broken).toBeUndefined()
  })

  test('and the command line says it', async () => {
    const here = { env: { DATABASE_URL: world.databaseUrl } }
    const [{ chain }] = await list('?pageSize=1')
    expect(await atriumHere(`audit verify ${tenant.code}`, here)).toMatchObject({
      code: 0,
      out: `${tenant.code}: ${ids.length} rows fit. The chain ends with row ${ids.at(-1)}, ${chain}\n`,
    })
    await change('update audit_operations set status = 500 where tenant_id = $1 and id = $2', ids[1])
    expect(await atriumHere(`audit verify ${tenant.code}`, here)).toMatchObject({
      code: 1,
      out: expect.stringMatching(new RegExp(`^${tenant.code}: row ${ids[1]} does not fit: .* 1 row fits before it\\.`)),
    })
    const all = await atriumHere('audit verify', here)
    expect(all.code).toBe(1)
    expect(all.out).toContain('default: ')
  })

  const TABLES = ['audit_operations', 'audit_links']
  const remove = (table: string, id: number) => change(`delete from ${table} where tenant_id = $1 and id = $2`, id)
})

describe('retention', () => {
  const keep = (days: number, most = 1000) => runCleanup(world.database, retention(days), { most })
  const age = (days: number, upTo: number) =>
    change(
      `update audit_operations set created_at = ${shifted('created_at', `-${days} days`)} where tenant_id = $1 and id <= $2`,
      upTo,
    )

  test('removes rows with their links, and what is left still fits', async () => {
    await givenCommands(6)
    const all = await (async () => {
      const ids = (await list()).map(({ id }: any) => id).reverse()
      await age(100, ids[3])
      return read()
    })()

    await keep(90, 3)

    expect(await read()).toEqual(all.slice(4))
    expect(await change('select id from audit_links where tenant_id = $1')).toHaveLength(all.length - 4)
    expect(await verify()).toEqual({ rows: all.length - 4, end: expect.anything() })
    for (const table of ['audit_operations', 'audit_links'])
      await change(`delete from ${table} where tenant_id = $1 and id = $2`, all[4].id)
    expect((await verify()).broken).toMatchObject({ id: all[5].id })
  })

  test('of all rows leaves a chain that goes on', async () => {
    await givenCommands(3)
    const ids = (await list()).map(({ id }: any) => id)
    await age(100, ids[0])
    const old = await read()
    await keep(90)
    expect(await verify()).toEqual({ rows: 0, end: expect.anything() })
    await givenCommands(1)
    const [next] = await read()
    const { chain, ...row } = next
    const canonical = JSON.stringify(row, Object.keys(row).sort())
    expect(chain).toBe(
      createHash('sha256')
        .update(old.at(-1).chain + canonical)
        .digest('hex'),
    )
    expect(await verify()).toEqual({ rows: 1, end: expect.anything() })
  })

  test.each([2, 0])('leaves rows that have no link yet, after %i that have one', async (linked) => {
    await givenCommands(linked)
    if (linked) expect(await read()).toHaveLength(linked)
    const slow = await beginSlowCommand()
    await givenCommands(2)
    await age(100, Number.MAX_SAFE_INTEGER)
    // The linked rows have changed, but only their age counts here.
    await keep(90)
    expect(await count()).toBe(2)
    await slow.end()
  })
})

test('a stream ends when its reader leaves or loses the permission', async () => {
  await givenRows(3000, 'r'.repeat(4000))
  const reader = await world.givenUser(tenant, await world.givenRole(tenant, ['audit:view']))
  // More than the connection holds, or the stream would be over before its reader is.
  await expect.poll(linkAll).toBe(3000)
  const left = await fetched(reader)
  await left.body!.cancel()
  await untilHeld(0)
  expect(logged.join('')).not.toContain('lready sent')

  const kept = await fetched(reader)
  await untilHeld(1)
  ;(await world.as(reader).post('/auth/logout')).expect(200)
  await untilHeld(0)
  await expect(kept.text()).rejects.toThrow()

  function untilHeld(count: number) {
    return until(() => world.app.streams.count() === count)
  }
  async function linkAll() {
    while (await extendChain(world.database, tenant.id));
    return world.look.count('select count(*) from audit_links where tenant_id = $1', [tenant.id])
  }
})

test('the role of the service adds rows and links, and changes neither', async () => {
  const may = async (verb: string, table: string, column?: string) =>
    (
      await world.look.rows<{ may: boolean }>(
        column
          ? `select has_column_privilege($1, $2, $4, $3) as may`
          : `select has_table_privilege($1, $2, $3) as may where $4::text is null`,
        [SERVICE_ROLE, table, verb, column ?? null],
      )
    )[0]!.may
  for (const table of ['audit_operations', 'audit_links', 'audit_chains']) {
    expect(await may('insert', table)).toBe(true)
    for (const verb of ['update', 'delete', 'truncate']) expect(await may(verb, table)).toBe(false)
  }
  expect(await may('update', 'audit_chains', 'last_id')).toBe(true)
  for (const column of ['removed_id', 'removed_chain', 'tenant_id'])
    expect(await may('update', 'audit_chains', column)).toBe(false)
})

const INSERT = `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent)
  select $1, $3, 'PUT', '/' || n, '/', 200, 1, '', '' from generate_series(1, $2::int) n`
async function givenRows(count: number, requestId = 'r') {
  await world.look.rows(INSERT, [tenant.id, count, requestId])
}
async function givenRowWithId(id: number) {
  await change(
    `insert into audit_operations (tenant_id, id, request_id, method, path, route, status, duration, ip, user_agent)
     values ($1, $2, 'forged', 'PUT', '/', '/', 200, 1, '', '')`,
    id,
  )
}
const count = () => world.look.count('select count(*) from audit_operations where tenant_id = $1', [tenant.id])

/** Over a connection, which has back-pressure. */
async function fetched({ token }: Person): Promise<Response> {
  if (!world.app.server.listening) await world.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = world.app.server.address() as { port: number }
  return fetch(`http://127.0.0.1:${port}/api/v1/audit/operations`, {
    headers: { ...LINES, authorization: `Bearer ${token}` },
  })
}
