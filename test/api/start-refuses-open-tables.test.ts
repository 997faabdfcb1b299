import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proveIsolation } from '../../src/data/setup/isolation/prove-isolation.ts'
import { startService } from '../../src/start.ts'
import { testConfig } from '../support/config.ts'
import { cloneDatabase, type Inspector, openInspector, SERVICE_ROLE } from '../support/database.ts'
import { databaseOn, nodesOf, TEST_CITUS } from '../support/servers.ts'

/** A hole in the wall stops the start. Each test knocks one into a database of its own. */
const opened: Inspector[] = []
const roles: string[] = []
let shared: { url: string; look: Inspector }
beforeAll(async () => {
  shared = await givenDatabase()
})
afterAll(async () => {
  for (const role of roles) await shared.look.rows(`drop role ${role}`).catch(() => {})
  await Promise.all(opened.map((look) => look.close()))
})

async function givenDatabase() {
  const url = await cloneDatabase()
  const look = await openInspector(url)
  opened.push(look)
  return { url, look }
}
/** Roles belong to the whole server, so each test makes its own. */
async function givenRole(attributes: string) {
  const name = `proof_${Math.random().toString(36).slice(2)}`
  await shared.look.rows(`create role ${name} ${attributes}`)
  roles.push(name)
  return name
}
/** Citus takes one statement at a time. */
async function run(look: Inspector, statements: string) {
  for (const statement of statements.split(';')) await look.rows(statement)
}
const start = (url: string) => startService(testConfig(), url, pino({ level: 'silent' }))

test('an untouched database passes, and the service starts on it', async () => {
  await expect(proveIsolation(shared.url, SERVICE_ROLE)).resolves.toBeUndefined()
  const service = await start(shared.url)
  expect(service.firstStart).toBe(false)
  expect(service.port).toBeGreaterThan(0)
  await service.stop()
})

test.runIf(TEST_CITUS)('a shard that Citus is making for a tenant that moves does not stop a start', async () => {
  const { url } = await givenDatabase()
  const [worker] = (await nodesOf(url)).slice(1)
  const node = await openInspector(databaseOn(worker!, new URL(url).pathname.slice(1)))
  opened.push(node)
  await node.rows('create table tasks_999999 (tenant_id bigint not null, id bigint)')
  await expect(proveIsolation(url, SERVICE_ROLE)).resolves.toBeUndefined()
})

describe.concurrent('the service does not start', () => {
  const isolation = `(tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint)`

  test.each([
    [
      'a table does not force row security',
      'alter table tasks no force row level security',
      'table tasks does not force row security',
    ],
    [
      'a table has no row security',
      'alter table tasks disable row level security',
      'table tasks does not force row security',
    ],
    [
      'a table has no policy',
      'drop policy tenant_isolation on tasks',
      'table tasks does not have exactly the one policy',
    ],
    [
      'a second policy lets more through',
      'create policy open on tasks using (true)',
      'table tasks does not have exactly the one policy',
    ],
    [
      'a second policy lets more through for one verb',
      'create policy open on tasks for select using (true)',
      'table tasks does not have exactly the one policy',
    ],
    [
      'the policy is another one',
      'drop policy tenant_isolation on tasks; create policy tenant_isolation on tasks using (true)',
      'table tasks does not have exactly the one policy',
    ],
    [
      'the policy has a way around',
      `drop policy tenant_isolation on tasks; create policy tenant_isolation on tasks using (${isolation} or status = 'DONE')`,
      'table tasks does not have exactly the one policy',
    ],
    [
      'the policy lets rows be written for others',
      'alter policy tenant_isolation on tasks with check (true)',
      'table tasks does not have exactly the one policy',
    ],
    [
      'the policy covers reading alone',
      `drop policy tenant_isolation on tasks; create policy tenant_isolation on tasks for select using ${isolation}`,
      'table tasks does not have exactly the one policy',
    ],
    [
      'the policy covers changes alone',
      `drop policy tenant_isolation on tasks;
       create policy tenant_isolation on tasks for update using ${isolation} with check ${isolation}`,
      'table tasks does not have exactly the one policy',
    ],
    [
      'a new table was forgotten',
      'create table forgotten (tenant_id bigint not null, id bigint)',
      'table forgotten does not force row security',
    ],
    [
      'the policy shows everything to who names no tenant',
      `drop policy tenant_isolation on users; create policy tenant_isolation on users
         using (tenant_id = coalesce(nullif(current_setting('app.tenant_id', true), '')::bigint, users.tenant_id))
         with check (tenant_id = coalesce(nullif(current_setting('app.tenant_id', true), '')::bigint, users.tenant_id))`,
      // On a cluster, shards are asked only if the policies are right.
      TEST_CITUS
        ? 'on .*: table users does not have exactly the one policy'
        : 'rows of users are visible without a tenant',
    ],
  ])('when %s', async (_, hole, reason) => {
    const { url, look } = await givenDatabase()
    await run(look, hole)
    await expect(start(url)).rejects.toThrow(new RegExp(`the service does not start[\\s\\S]*${reason}`))
  })

  test('and names every hole in one message', async () => {
    const { url, look } = await givenDatabase()
    await run(look, 'alter table tasks no force row level security; create policy open on users using (true)')
    const message = await proveIsolation(url, SERVICE_ROLE).catch((error) => error.message)
    expect(message).toContain('table tasks does not force row security')
    expect(message).toContain('table users does not have exactly the one policy')
  })
})

describe('the proof refuses a role', () => {
  test.each([
    ['nologin bypassrls', 'bypasses row security'],
    ['nologin superuser', 'is a superuser'],
  ])('that is %s', async (attributes, reason) => {
    const role = await givenRole(attributes)
    await expect(proveIsolation(shared.url, role)).rejects.toThrow(`the role ${role} ${reason}`)
  })

  test('that owns a table', async () => {
    const { url, look } = await givenDatabase()
    const role = await givenRole('nologin')
    await run(
      look,
      `grant usage on schema public to ${role}; grant select on all tables in schema public to ${role}; alter table task_comments owner to ${role}`,
    )
    await expect(proveIsolation(url, role)).rejects.toThrow(`the role ${role} owns tables`)
    await run(look, `alter table task_comments owner to current_user; drop owned by ${role}`)
  })

  test('that does not exist', async () => {
    await expect(proveIsolation(shared.url, 'nobody_at_all')).rejects.toThrow('does not exist')
  })
})
