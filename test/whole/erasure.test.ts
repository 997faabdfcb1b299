import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { testConfig } from '#test/config.ts'
import { onEachServer } from '#test/database.ts'
import { WRITTEN_LATER } from '#test/fingerprint.ts'
import { untilDelivered } from '#test/invariants.ts'
import { resetsAnswered } from '#test/links.ts'
import { PATIENCE_MS, until } from '#test/patience.ts'
import { redisIsHere, startRedis } from '#test/redis.ts'
import { countIn, tablesWith } from '#test/rows-with.ts'
import { type Furniture, seedTenant } from '#test/samples.ts'
import { uploadOf } from '#test/uploads.ts'
import { openWorld, type Tenant } from '#test/world.ts'
import { eraseTenant } from '../../src/data/archive/erase-tenant.ts'
import { openStorage } from '../../src/domains/files/files.ts'
import { erasures } from '../../src/domains/tenants/erase.ts'
import { eraseDueTenants } from '../../src/domains/tenants/tenants.ts'
import { exportAs, readArchive } from '../../src/plugins/portability/test/archive.ts'
import { newFolder } from '../support/folder.ts'

const folder = newFolder()
const CANARY = 'canary-of-the-erased-51f0'
// That of the service would erase beside the tests, a minute after its start.
const { first } = erasures
erasures.first = 2 ** 31 - 1
const redis = redisIsHere() ? await startRedis() : undefined
const env = { FILE_STORAGE_ROOT: folder }
const world = await openWorld({ env, ...(redis && { redisUrl: redis.url }) })
const storage = await openStorage(testConfig(env).files)
afterAll(() => {
  erasures.first = first!
  storage.close()
})

async function givenFurnished(text: string): Promise<Furniture> {
  const furniture = await seedTenant(world, await world.givenTenant(), text)
  await uploadOf(world).file(furniture.tenant.administrator)
  // A reader lets the events have their numbers.
  await world.as(furniture.tenant.administrator).read('/events')
  return furniture
}
async function givenSmall(): Promise<Tenant> {
  const tenant = await world.givenTenant()
  const project = await world.givenProject(tenant.administrator)
  await world.givenTask(tenant.administrator, project)
  await uploadOf(world).file(tenant.administrator)
  return tenant
}
const close = async (id: number) => (await world.as(world.admin).post(`/tenants/${id}/close`)).expect(200)
/** Closes the tenant, and lets its days pass. */
async function makeDue({ id }: Tenant) {
  await close(id)
  await world.look.rows(`update tenants set erase_at = now() - interval '1 second' where id = $1`, [id])
}
const erase = () => eraseDueTenants(world.database, storage)
const proofOf = async ({ id }: Tenant) => (await world.look.rows('select * from erasures where tenant = $1', [id]))[0]

const rowsOf = ({ id }: Tenant) =>
  countIn(
    world.look,
    'tenant_id = $1',
    [id],
    `c.relkind = 'r' and n.nspname = 'public' and exists
      (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')`,
  )
/** What jobs write some time after a commit, or by the clock: no part of what has to stay equal. */
const withoutJobs = (rows: Record<string, number>) =>
  Object.fromEntries(Object.entries(rows).filter(([table]) => !WRITTEN_LATER.has(table)))
/** They get their numbers some time after a commit, and then lie in another table. */
const eventsIn = (rows: Record<string, number>) => (rows.events ?? 0) + (rows.unnumbered_events ?? 0)
function expectCounted(counts: Record<string, number>, before: Record<string, number>) {
  expect(eventsIn(counts)).toBeGreaterThanOrEqual(eventsIn(before))
  for (const [table, count] of Object.entries(withoutJobs(before)))
    expect(counts[table] ?? 0, table).toBeGreaterThanOrEqual(count)
}

/** The files below a folder that hold the canary. One that goes away during the search holds none. */
function filesWithCanary(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      try {
        return readFileSync(path).includes(CANARY)
      } catch {
        return false
      }
    })
}
/** The folders of the database, one on each server. The embedded server knows its own by `/proc/self/cwd`. */
async function databaseFolders(): Promise<string[]> {
  const at = `select replace(current_setting('data_directory'), '/self/', '/' || p.pid || '/') || '/base/' || d.oid as path
    from pg_database d, pg_stat_activity p where d.datname = current_database() and p.backend_type = 'checkpointer'`
  return (await onEachServer<{ path: string }>(world.databaseUrl, at)).map(({ path }) => realpathSync(path))
}

test('a tenant whose time is over is erased to the last byte, with a proof; others are as they were', async () => {
  const other = await givenFurnished('of those who stay')
  const gone = await givenFurnished(CANARY)
  const { id, code } = gone.tenant
  // Mails are marked after they have left.
  await resetsAnswered(world)
  await untilDelivered(world.look)
  const kept = await readArchive((await exportAs(world.app, other.tenant.administrator)).stream)
  expect((await tablesWith(world.look, CANARY)).length).toBeGreaterThan(10)
  const folders = await databaseFolders()
  await onEachServer(world.databaseUrl, 'checkpoint')
  expect(folders.flatMap(filesWithCanary).length).toBeGreaterThan(10)
  expect(filesWithCanary(folder)).not.toEqual([])
  // The statistics of a table that is empty afterwards are kept by `analyze`.
  await world.look.rows(
    `insert into outbox (tenant_id, type, title, receivers) select ${id}, 'x', '${CANARY}', '{}' from generate_series(1, 2);
     analyze outbox;
     delete from outbox where title = '${CANARY}'`,
  )
  await makeDue(gone.tenant)
  await untilDelivered(world.look)
  const before = await rowsOf(gone.tenant)

  const erased = await erase()

  expect(Object.keys(erased)).toEqual([code])
  expect(await rowsOf(gone.tenant)).toEqual({})
  expect(await tablesWith(world.look, CANARY)).toEqual([])
  expect(existsSync(join(folder, String(id)))).toBe(false)
  const { counts, files } = erased[code]!
  expect(await proofOf(gone.tenant)).toMatchObject({ code, counts, erased_at: expect.any(Date) })
  expectCounted(counts, before)
  expect(files).toBeGreaterThan(0)

  const still = await readArchive((await exportAs(world.app, other.tenant.administrator)).stream)
  for (const [name, bytes] of kept.entries)
    if (!/manifest|audit_|event|reminder_rounds|session_sightings/.test(name))
      expect(still.entries.get(name)?.equals(bytes), name).toBe(true)
  // A transaction that began before, such as one of autovacuum, keeps rows from being removed.
  await until(async () => {
    for (const statement of ['delete from pg_statistic', 'vacuum (full, analyze)', 'checkpoint'])
      await onEachServer(world.databaseUrl, statement)
    expect(folders.flatMap(filesWithCanary)).toEqual([])
  })
  expect(filesWithCanary(folder)).toEqual([])
  // The values in Redis are words of ours and random places; only its keys name anything.
  if (redis) expect(await redis.ask('KEYS *')).not.toContain(CANARY)
  expect((await world.app.inject('/metrics')).body).not.toContain(CANARY)
  ;(await world.as(gone.tenant.administrator).get('/auth/me')).expect(401)
  ;(await world.as(world.admin).get(`/tenants/${id}`)).expect(404)
  ;(await world.as(world.admin).get('/projects', { 'x-tenant-code': code })).expect(404, 'TENANT_NOT_FOUND')
  const again = { name: 'Again', code, plan: 'team', adminUsername: 'chief', adminEmail: 'chief@acme.example' }
  await world.as(world.admin).create('/tenants', { ...again, adminPassword: 'correct horse' })
})

test('a tenant that is active, disabled, reopened or has days to come, and the first one, are never erased', async () => {
  const [active, closing, reopened, disabled] = [
    await givenSmall(),
    await givenSmall(),
    await givenSmall(),
    await givenSmall(),
  ]
  for (const { id } of [closing, reopened]) await close(id)
  ;(await world.as(world.admin).post(`/tenants/${reopened.id}/reopen`)).expect(200)
  ;(await world.as(world.admin).put(`/tenants/${disabled.id}`, { status: 'disabled' })).expect(200)
  const all = [active, closing, reopened, disabled]
  const before = await Promise.all(all.map(rowsOf))
  expect(await erase()).toEqual({})
  for (const id of [1, ...all.map((tenant) => tenant.id)])
    await expect(eraseTenant(world.database, id, async () => 0)).rejects.toMatchObject({ code: '55000' })
  expect((await Promise.all(all.map(rowsOf))).map(withoutJobs)).toEqual(before.map(withoutJobs))
})

test('an erasure that is interrupted goes on, loses no count, and cannot be taken back any more', async () => {
  const tenant = await givenSmall()
  await makeDue(tenant)
  const before = await rowsOf(tenant)
  const failing = { removeAll: () => Promise.reject(new Error('the storage is away')) }
  await expect(eraseDueTenants(world.database, failing)).rejects.toThrow('the storage is away')
  // What jobs write meanwhile is found by the end of an erasure, which this one did not reach.
  expect(withoutJobs(await rowsOf(tenant))).toEqual({})
  expect(await proofOf(tenant)).toMatchObject({ erased_at: null })
  ;(await world.as(world.admin).post(`/tenants/${tenant.id}/reopen`)).expect(409, 'TENANT_ERASING')

  expectCounted((await erase())[tenant.code]!.counts, before)
  expect(await rowsOf(tenant)).toEqual({})
  expect(await proofOf(tenant)).toMatchObject({ erased_at: expect.any(Date) })
})

test('two erasures at once both end, and count each row once', async () => {
  const tenant = await givenSmall()
  await makeDue(tenant)
  const before = await rowsOf(tenant)
  await Promise.all([1, 2, 3].map(erase))
  const { counts } = (await proofOf(tenant))!
  const { audit_operations: _, ...exact } = withoutJobs(before)
  for (const [table, count] of Object.entries(exact)) expect(counts[table], table).toBe(count)
  expect(readdirSync(folder)).not.toContain(String(tenant.id))
})

test('a small tenant does not wait until a large one is erased, nor for one that cannot be erased', async () => {
  const [broken, large, small] = [await world.givenTenant(), await world.givenTenant(), await world.givenTenant()]
  for (const tenant of [broken, large, small]) await makeDue(tenant)
  // The first two turns are over as soon as something was deleted; the others last as long as they have to.
  let turns = 0
  const turn = PATIENCE_MS
  const usual = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) =>
    ms === turn && ++turns <= 2 ? AbortSignal.abort() : usual(ms),
  )
  const order: number[] = []
  const watched = {
    async removeAll(id: number) {
      if (id === broken.id) throw new Error('not this one')
      order.push(id)
      return storage.removeAll(id)
    },
  }

  await expect(eraseDueTenants(world.database, watched, { turn })).rejects.toThrow('not this one')

  expect(order).toEqual([small.id, large.id])
  expect(Object.keys(await erase())).toEqual([broken.code])
})

test('departments that lead to others go, leaves first', async () => {
  const tenant = await givenSmall()
  const boss = world.as(tenant.administrator)
  let parentId: number | undefined
  for (let at = 0; at < 5; at++) {
    const draft = { name: `D ${at}`, code: `DEEP${at}`, ...(parentId && { parentId }) }
    parentId = (await boss.create('/departments', draft)).id
  }
  await makeDue(tenant)
  expect(Object.keys(await erase())).toEqual([tenant.code])
})
