import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { atriumHere } from '#test/cli-here.ts'
import { SERVICE_ROLE } from '#test/database.ts'
import { newFolder } from '#test/folder.ts'
import { openTransaction } from '#test/interleave.ts'
import { startJob } from '#test/jobs.ts'
import { canRun, openPage } from '#test/page-programs.ts'
import { until } from '#test/patience.ts'
import { holderOf } from '#test/servers.ts'
import { shifted } from '#test/shifted.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { runCleanup } from '../../../data/jobs/cleanup.ts'
import { everyTenant } from '../../../data/jobs/every-tenant.ts'
import type { Metrics } from '../../../data/jobs/metrics.ts'
import { openScope } from '../../../data/tx/open-scope.ts'
import { retention } from '../../../domains/audit/audit.actions.ts'
import { openLog } from '../../../log.ts'
import { extendChain } from '../extend.ts'
import { verifyChain } from '../verify.ts'
import { countAllUnlinked, reportChains } from '../waiting.ts'
import { chains } from '../worker.ts'

/** The audit as evidence: a stream, and a chain of hashes that shows what was done to it. */
let tenant: Tenant
let boss: Person
const logged: string[] = []
const world = await openWorld({
  logger: openLog('warn', { write: (line) => void logged.push(line) }),
})
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
})

const LINES = { accept: 'application/x-ndjson' }
const stream = (query = '', person = boss) => world.as(person).get(`/audit/operations${query}`, LINES)
const rowsOf = (text: string) => (text.match(/[^\n]+/g) ?? []).map((line) => JSON.parse(line))
const read = async (query = '') => rowsOf((await stream(query)).expect(200))
const list = async (query = '') => (await world.as(boss).get(`/audit/operations${query}`)).expect(200)
/** Commands that are in the audit when they are answered. */
async function givenCommands(count: number, person = boss) {
  for (let at = 0; at < count; at++) (await world.as(person).put('/notifications/read-all')).expect(200)
}
/** Until it ends it may commit a row with a lower id, so that nobody links what comes later: no job of the service either. */
async function beginSlowCommand() {
  const slow = await openTransaction(await holderOf(world.databaseUrl, tenant.id))
  await slow.query(INSERT, [tenant.id, 1, 'slow'])
  return slow
}
const verify = () => verifyChain(openScope(world.database, tenant.id))
const change = (sql: string, ...values: unknown[]) => world.look.rows(sql, [tenant.id, ...values])

test('the chain reports how long the oldest row has waited for its link, and nothing once it has one', async () => {
  // Its chain has just moved, so it is catching up.
  await givenCommands(1)
  await extendChain(world.database, tenant.id)
  const slow = await beginSlowCommand()
  await change(
    `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent, created_at)
     values ($1, 'old', 'PUT', '/', '/', 200, 1, '', '', now() - interval '1 hour')`,
  )
  const reported = new Map<string, Parameters<Metrics['gauge']>[2]>()
  const gauge: Metrics['gauge'] = (name, _, read) => void reported.set(name, read)
  reportChains({ gauge, counter() {}, counters() {} }, world.database)
  expect(await reported.get('audit_chain_oldest_seconds')!()).toBeGreaterThanOrEqual(3600)
  const { rows, stalled } = await countAllUnlinked(world.database)
  expect(rows).toBeGreaterThan(0)
  expect(stalled).toBeLessThan(3600)
  await slow.release()

  const linkAll = async () => {
    for await (const { tenantId } of everyTenant(world.database)) while (await extendChain(world.database, tenantId));
    return countAllUnlinked(world.database)
  }
  await expect.poll(linkAll).toEqual({ rows: 0, oldest: 0, stalled: 0 })
})

describe('the stream', () => {
  test('has every operation of the tenant once, oldest first, as the list shows it, and continues after an id', async () => {
    await givenCommands(5, (await world.givenTenant()).administrator)
    await givenCommands(5)

    const answer = await stream('?after=0')

    expect(answer.headers['content-type']).toBe('application/x-ndjson')
    expect(answer.headers['cache-control']).toBe('no-store')
    const rows = rowsOf(answer.expect(200))
    expect(rows).toEqual((await list('?pageSize=1000')).reverse())
    expect(rows.length).toBeGreaterThanOrEqual(5)
    expect(rows.every(({ chain, tenantId }: any) => /^[0-9a-f]{64}$/.test(chain) && tenantId === tenant.id)).toBe(true)
    expect(await read(`?after=${rows[1].id}`)).toEqual(rows.slice(2))
    expect(await read(`?after=${rows.at(-1).id}`)).toEqual([])
    await givenCommands(1)
    expect(await read(`?after=${rows.at(-1).id}`)).toHaveLength(1)
  })

  test('is longer than a page', async () => {
    await givenRows(1234)
    const rows = rowsOf(await (await fetched(boss)).text())
    expect(rows.filter(({ requestId }: any) => requestId === 'r')).toHaveLength(1234)
    expect(rows.map(({ id }: any) => id)).toEqual(rows.map(({ id }: any) => id).sort((a: number, b: number) => a - b))
    expect((await verify()).broken).toBeUndefined()
    expect(logged.join('')).not.toContain('lready sent')
  })

  test('takes the filters of the list, and no others', async () => {
    const user = await world.givenUser(tenant)
    await givenCommands(2, user)
    await givenCommands(1)
    const all = await read()
    const [, second] = all
    expect(await read(`?userId=${user.id}&method=PUT`)).toEqual(all.filter(({ userId }) => userId === user.id))
    expect(await read(`?before=${second.id}`)).toEqual(all.slice(0, 1))
    const since = all.filter(({ createdAt }) => createdAt >= second.createdAt)
    expect(await read(`?from=${second.createdAt}`)).toEqual(since)
    for (const query of ['?status=7', '?after=-1']) (await stream(query)).expect(400, 'VALIDATION_FAILED')
  })
})

describe('the chain', () => {
  const page = openPage('docs/integrations.md')
  const PROGRAMS = [
    ['js', 'verify.mjs', process.execPath],
    ['python', 'verify.py', 'python3'],
  ] as const

  test.each(PROGRAMS.filter(([name]) => canRun(name)))(
    'can be checked from the stream alone, by the %s of the page for other systems',
    async (name, file, run) => {
      const program = join(newFolder(), file)
      writeFileSync(program, page.take('Verify the chain', name).text)
      await givenRows(3, 'Ünïcode “7” \\ \u2028 \u007f 审计')
      await givenCommands(3)
      const text = (await stream()).expect(200)
      const rows = rowsOf(text)
      const check = (input: string, ...args: string[]) =>
        spawnSync(run, [program, ...args], { input, encoding: 'utf8' })

      expect(check(text)).toMatchObject({ status: 0, stdout: `${rows.at(-1).chain}\n` })
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

  test('is added by the job to older rows too, and a tenant with few of them does not wait for one with many', async () => {
    const busy = tenant
    tenant = await world.givenTenant()
    await givenRows(3)
    const small = tenant
    tenant = busy
    await givenRows(2000)

    const worker = await startJob(world.database, chains, 5)
    const sql = `select extract(epoch from moved_at)::float8 as at from audit_chains where tenant_id = $1
      and last_id = (select max(id) from audit_operations where tenant_id = $1)`
    const movedAt = async ({ id }: Tenant) => (await world.look.rows<{ at: number }>(sql, [id]))[0]?.at ?? false
    const [ofBusy, ofSmall] = [await until(() => movedAt(busy)), await until(() => movedAt(small))]
    await worker.stop()

    expect(busy.id).toBeLessThan(small.id)
    expect(ofSmall).toBeLessThan(ofBusy)
    const [newest] = await list('?pageSize=1')
    expect(await verify()).toMatchObject({ rows: await count(), end: { id: newest.id } })
  })

  test('of a tenant goes on beside one whose chain was tampered with', async () => {
    const slow = await beginSlowCommand()
    await givenCommands(1)
    await change(
      "insert into audit_links (tenant_id, id, chain) select tenant_id, id, repeat('a', 64) from audit_operations where tenant_id = $1 on conflict do nothing",
    )
    await slow.release()
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
    await slow.commit()

    const after = await read(`?after=${before.at(-1).id}`)
    expect(after.map(({ requestId }: any) => requestId === 'slow')).toEqual([true, false, false])
    expect((await verify()).broken).toBeUndefined()
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

  test('a change of any column', async () => {
    const changes: [column: string, value: string][] = [
      ['username', `'somebody else'`],
      ['status', '403'],
      ['duration', 'duration + 1'],
      ['created_at', shifted('created_at', '1 millisecond')],
      ['key_prefix', `'atr_x'`],
      ['user_id', 'null'],
      ['path', `path || '/'`],
    ]
    // From the last row to the first: the first that is broken is found.
    for (const [at, [column, value]] of changes.entries()) {
      const id = ids[7 - at]
      await change(`update audit_operations set ${column} = ${value} where tenant_id = $1 and id = $2`, id)
      await expectBroken(id, /does not fit/)
      expect((await verify()).rows).toBe(7 - at)
    }
  })

  test('a removed row, and one that was inserted in its place, each without and with a link', async () => {
    await remove(3, 'audit_operations')
    await expectBroken(ids[3], /^is missing$/)
    await remove(3, 'audit_links')
    await expectBroken(ids[4], new RegExp(`between ${ids[2]} and`))
    await change(
      `insert into audit_operations (tenant_id, id, request_id, method, path, route, status, duration, ip, user_agent)
       values ($1, $2, 'forged', 'PUT', '/', '/', 200, 1, '', '')`,
      ids[3],
    )
    await expectBroken(ids[3], /^was inserted/)
    await change('insert into audit_links values ($1, $2, $3)', ids[3], 'a'.repeat(64))
    await expectBroken(ids[3], /does not fit/)
  })

  test('the first rows, the last, or all, if they were removed', async () => {
    for (const at of [-2, -1]) await remove(at, 'audit_operations')
    await expectBroken(ids.at(-2), /^is missing$/)
    for (const at of [-2, -1]) await remove(at, 'audit_links')
    await expectBroken(ids.at(-1), /^is missing/)
    for (const at of [0, 1]) await remove(at)
    await expectBroken(ids[2])
    for (const at of ids.keys()) await remove(at)
    await expectBroken(ids.at(-1))
  })

  test('rows that changed places', async () => {
    const move = async (from: number, to: number) =>
      change('update audit_operations set id = $3 where tenant_id = $1 and id = $2', from, to)
    await move(ids[3]!, Number.MAX_SAFE_INTEGER)
    await move(ids[4]!, ids[3]!)
    await move(Number.MAX_SAFE_INTEGER, ids[4]!)
    await expectBroken(ids[3])
  })

  test('an end of the chain that was set back, that does not know the last link, or was removed', async () => {
    const [end] = await change('select last_chain from audit_chains where tenant_id = $1')
    await change('update audit_chains set last_chain = $2 where tenant_id = $1', 'a'.repeat(64))
    await expectBroken(ids.at(-1), /^does not have the link that the chain ends with$/)
    await change('update audit_chains set last_chain = $2 where tenant_id = $1', end!.last_chain)
    await change(
      'update audit_chains set last_id = $2, last_chain = (select chain from audit_links where tenant_id = $1 and id = $2) where tenant_id = $1',
      ids[5],
    )
    await expectBroken(ids[6], /^has a link/)
    await change('delete from audit_chains where tenant_id = $1')
    await expectBroken(ids[0])
  })

  test('and the command line says it', async () => {
    const here = { env: { DATABASE_URL: world.databaseUrl } }
    const [{ chain }] = await list('?pageSize=1')
    const ofOne = `audit verify ${tenant.code}`
    const fits = `${tenant.code}: ${ids.length} rows fit. The chain ends with row ${ids.at(-1)}, ${chain}\n`
    expect(await atriumHere(ofOne, here)).toMatchObject({ code: 0, out: fits })
    await change('update audit_operations set status = 500 where tenant_id = $1 and id = $2', ids[1])
    const broken = expect.stringMatching(`^${tenant.code}: row ${ids[1]} does not fit: .* 1 row fits before it\\.`)
    expect(await atriumHere(ofOne, here)).toMatchObject({ code: 1, out: broken })
    expect(await atriumHere('audit verify', here)).toMatchObject({ code: 1, out: expect.stringContaining('default: ') })
  })

  const expectBroken = async (id: number | undefined, what = /./) =>
    expect((await verify()).broken).toEqual({ id, what: expect.stringMatching(what) })
  async function remove(at: number, ...tables: string[]) {
    for (const table of tables.length ? tables : ['audit_operations', 'audit_links'])
      await change(`delete from ${table} where tenant_id = $1 and id = $2`, ids.at(at))
  }
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
    await age(100, (await list()).at(-4).id)
    const all = await read()

    await keep(90, 3)

    expect(await read()).toEqual(all.slice(4))
    expect(await change('select id from audit_links where tenant_id = $1')).toHaveLength(all.length - 4)
    expect(await verify()).toEqual({ rows: all.length - 4, end: expect.anything() })
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
    expect(chain).toBe(hash('sha256', old.at(-1).chain + canonical))
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
    await slow.release()
  })
})

test('rows that go without a link while the plug-in is off leave a chain that goes on', async () => {
  await givenCommands(3)
  const old = await read()
  const slow = await beginSlowCommand()
  await givenCommands(2)
  await change(`update audit_operations set created_at = ${shifted('created_at', '-100 days')} where tenant_id = $1`)

  // As the core does, which knows no end of the chain.
  await change(
    `select prune_audit(90, 1000) from (select set_config('app.tenant_id', $1::text, true) as it offset 0) entered where it <> ''`,
  )
  await slow.release()

  expect(await count()).toBe(0)
  await givenCommands(1)
  const [{ chain, ...row }] = (await read()) as [Record<string, unknown>]
  expect(chain).toBe(hash('sha256', old.at(-1).chain + JSON.stringify(row, Object.keys(row).sort())))
  expect(await verify()).toEqual({ rows: 1, end: expect.anything() })
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
  const tables = ['audit_operations', 'audit_links', 'audit_chains']
  const held = await world.look.rows(
    `select concat_ws(' ', verb, name) as may from unnest($2::text[]) name, unnest($3::text[]) verb
      where has_table_privilege($1, name, verb)
     union select concat_ws(' ', 'update', attname) from pg_attribute
      where attrelid = 'audit_chains'::regclass and attnum > 0 and has_column_privilege($1, attrelid, attnum, 'update')`,
    [SERVICE_ROLE, tables, ['insert', 'update', 'delete', 'truncate']],
  )
  const ofEnds = ['last_id', 'last_chain', 'moved_at'].map((column) => `update ${column}`)
  expect(new Set(held.map(({ may }) => may))).toEqual(new Set([...tables.map((table) => `insert ${table}`), ...ofEnds]))
})

const INSERT = `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent)
  select $1, $3, 'PUT', '/' || n, '/', 200, 1, '', '' from generate_series(1, $2::int) n`
const givenRows = (count: number, requestId = 'r') => change(INSERT, count, requestId)
const count = () => world.look.count('select count(*) from audit_operations where tenant_id = $1', [tenant.id])

/** Over a connection, which has back-pressure. */
async function fetched({ token }: Person): Promise<Response> {
  const headers = { ...LINES, authorization: `Bearer ${token}` }
  return fetch(`http://127.0.0.1:${await world.listen()}/api/v1/audit/operations`, { headers })
}
