import pino from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { proveIsolation } from '../../src/data/setup/isolation/prove-isolation.ts'
import { clusters, oneServerAlone, provideClusters } from '../../src/data/topology/clusters.ts'
import { loadDomains } from '../../src/load-domains.ts'
import { startService } from '../../src/start.ts'
import { administer } from '../../tools/throwaway.ts'
import { createOnCluster } from '../support/cluster.ts'
import { testConfig } from '../support/config.ts'
import { cloneDatabase, type Inspector, openInspector, SERVICE_ROLE } from '../support/database.ts'
import { openLayer } from '../support/layer.ts'
import { databaseOn, nodesOf, TEST_CITUS } from '../support/servers.ts'

/** A hole in the wall stops the start. Each test knocks one into a database of its own. */
const roles: string[] = []
const shared = await givenDatabase()
afterAll(async () => {
  for (const role of roles) await shared.look.rows(`drop role ${role}`).catch(() => {})
})

async function givenDatabase() {
  const url = await cloneDatabase()
  return { url, look: await openInspector(url) }
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
  await node.rows('create table tasks_999999 (tenant_id bigint not null, id bigint)')
  await expect(proveIsolation(url, SERVICE_ROLE)).resolves.toBeUndefined()
})

test('a database on a cluster stops the start if the plug-in for clusters is off', async () => {
  const url = TEST_CITUS ? (await givenDatabase()).url : await createOnCluster()
  if (!TEST_CITUS) await administer(url, `insert into pg_dist_partition values ('pg_class', 'h')`)
  await loadDomains(testConfig())
  const here = clusters()
  provideClusters(oneServerAlone)()
  try {
    const sentence = 'on workers of Citus: switch on the plug-in citus'
    await expect(start(url)).rejects.toThrow(sentence)
    await expect(openLayer(url)).rejects.toThrow(sentence)
    await expect(proveIsolation(url, SERVICE_ROLE)).rejects.toThrow(sentence)
  } finally {
    provideClusters(here)()
  }
})

describe.concurrent('the service does not start', () => {
  const isolation = `(tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint)`
  const unforced = 'table tasks does not force row security'
  const otherPolicy = 'table tasks does not have exactly the one policy'
  const unowned = `(tenant_id = coalesce(nullif(current_setting('app.tenant_id', true), '')::bigint, users.tenant_id))`
  const replaced = (policy: string) =>
    `drop policy tenant_isolation on tasks; create policy tenant_isolation on tasks ${policy}`

  test.each([
    ['a table does not force row security', 'alter table tasks no force row level security', unforced],
    ['a table has no row security', 'alter table tasks disable row level security', unforced],
    ['a table has no policy', 'drop policy tenant_isolation on tasks', otherPolicy],
    ['a second policy lets more through', 'create policy open on tasks using (true)', otherPolicy],
    ['the policy has a way around', replaced(`using (${isolation} or status = 'DONE')`), otherPolicy],
    [
      'the policy lets rows be written for others',
      'alter policy tenant_isolation on tasks with check (true)',
      otherPolicy,
    ],
    ['the policy covers changes alone', replaced(`for update using ${isolation} with check ${isolation}`), otherPolicy],
    [
      'a new table was forgotten',
      'create table forgotten (tenant_id bigint not null, id bigint)',
      'table forgotten does not force row security',
    ],
    [
      'the policy shows everything to who names no tenant',
      `drop policy tenant_isolation on users;
       create policy tenant_isolation on users using ${unowned} with check ${unowned}`,
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
    const grants = `grant usage on schema public to ${role}; grant select on all tables in schema public to ${role}`
    await run(look, `${grants}; alter table task_comments owner to ${role}`)
    await expect(proveIsolation(url, role)).rejects.toThrow(`the role ${role} owns tables`)
    await run(look, `alter table task_comments owner to current_user; drop owned by ${role}`)
  })

  test('that does not exist', async () => {
    await expect(proveIsolation(shared.url, 'nobody_at_all')).rejects.toThrow('does not exist')
  })
})
