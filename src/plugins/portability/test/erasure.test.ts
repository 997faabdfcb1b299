import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportAs, readArchive } from '#test/archive.ts'
import { testConfig } from '#test/config.ts'
import { resetsAnswered } from '#test/links.ts'
import { type Furniture, seedTenant } from '#test/samples.ts'
import { givenFolder, uploadOf } from '#test/uploads.ts'
import { openWorld, type Tenant, type World } from '#test/world.ts'
import { eraseTenant } from '../../../data/archive/erase-tenant.ts'
import { openStorage, type Storage } from '../../../domains/files/files.ts'
import { eraseDueTenants } from '../portability.ts'

let world: World
let storage: Storage
const folder = givenFolder()
const CANARY = 'canary-of-the-erased-51f0'

beforeAll(async () => {
  world = await openWorld({ env: { FILE_STORAGE_ROOT: folder.root } })
  storage = await openStorage(testConfig({ FILE_STORAGE_ROOT: folder.root }).files)
})
afterAll(async () => {
  storage?.close()
  await world.close()
  folder.remove()
})

async function givenFurnished(text: string): Promise<Furniture> {
  const furniture = await seedTenant(world, await world.givenTenant(), text)
  await uploadOf(world).file(furniture.tenant.administrator)
  // A reader lets the events have their numbers.
  ;(await world.as(furniture.tenant.administrator).get('/events')).expect(200)
  return furniture
}
async function givenSmall(): Promise<{ tenant: Tenant }> {
  const tenant = await world.givenTenant()
  const project = await world.givenProject(tenant.administrator)
  await world.givenTask(tenant.administrator, project)
  await uploadOf(world).file(tenant.administrator)
  return { tenant }
}
const close = (id: number) => world.as(world.admin).post(`/tenants/${id}/close`)
const makeDue = (id: number) =>
  world.look.rows(`update tenants set erase_at = now() - interval '1 second' where id = $1`, [id])
const proofOf = async (id: number) => (await world.look.rows('select * from erasures where tenant = $1', [id]))[0]

/** Every table of every schema in which the text occurs in a row. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await world.look.rows<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { name } of tables)
    if (await world.look.count(`select count(*) from ${name} t where t::text like '%' || $1 || '%'`, [text]))
      found.push(name)
  return found
}
/** What jobs write some time after a commit, or by the clock: no part of what has to stay equal. */
const WRITTEN_BY_JOBS =
  /^(session_sightings|audit_chains|audit_links|reminder_rounds|events|unnumbered_events|event_counters)$/
const withoutJobs = (rows: Record<string, number>) =>
  Object.fromEntries(Object.entries(rows).filter(([table]) => !WRITTEN_BY_JOBS.test(table)))
/** They get their numbers some time after a commit, and then lie in another table. */
const eventsIn = (rows: Record<string, number>) => (rows.events ?? 0) + (rows.unnumbered_events ?? 0)

async function rowsOf(id: number): Promise<Record<string, number>> {
  const tables = await world.look.rows<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const count = await world.look.count(`select count(*) from ${name} where tenant_id = $1`, [id])
    if (count > 0) counts[name] = count
  }
  return counts
}

test('a tenant whose time is over is erased to the last byte, with a proof; others are as they were', async () => {
  const other = await givenFurnished('of those who stay')
  const gone = await givenFurnished(CANARY)
  const { id, code } = gone.tenant
  // Mails are marked after they have left.
  await resetsAnswered(world)
  const kept = await readArchive((await exportAs(world.app, other.tenant.administrator)).stream)
  expect((await tablesWith(CANARY)).length).toBeGreaterThan(10)
  ;(await close(id)).expect(200)
  await makeDue(id)
  const before = await rowsOf(id)

  const erased = await eraseDueTenants(world.database, storage)

  expect(Object.keys(erased)).toEqual([code])
  expect(await rowsOf(id)).toEqual({})
  expect(await tablesWith(CANARY)).toEqual([])
  expect(existsSync(join(folder.root, String(id)))).toBe(false)
  expect(await proofOf(id)).toMatchObject({ code, counts: erased[code]!.counts, erased_at: expect.any(Date) })
  expect(eventsIn(erased[code]!.counts)).toBeGreaterThanOrEqual(eventsIn(before))
  for (const [table, count] of Object.entries(withoutJobs(before)))
    expect(erased[code]!.counts[table] ?? 0, table).toBeGreaterThanOrEqual(count)
  expect(erased[code]!.files).toBeGreaterThan(0)

  const still = await readArchive((await exportAs(world.app, other.tenant.administrator)).stream)
  for (const [name, bytes] of kept.entries)
    if (!/manifest|audit_|reminder_rounds|session_sightings/.test(name))
      expect(still.entries.get(name)?.equals(bytes), name).toBe(true)
  ;(await world.as(gone.tenant.administrator).get('/auth/me')).expect(401)
  ;(await world.as(world.admin).get(`/tenants/${id}`)).expect(404)
  ;(await world.as(world.admin).get('/projects', { 'x-tenant-code': code })).expect(404, 'TENANT_NOT_FOUND')
})

test('its code is free again', async () => {
  const { tenant } = await givenSmall()
  ;(await close(tenant.id)).expect(200)
  await makeDue(tenant.id)
  await eraseDueTenants(world.database, storage)
  const draft = {
    name: 'Again',
    code: tenant.code,
    plan: 'team',
    adminUsername: 'chief',
    adminPassword: 'correct horse',
    adminEmail: 'chief@acme.example',
  }
  ;(await world.as(world.admin).post('/tenants', draft)).expect(201)
})

test.each([
  ['active', async () => {}],
  ['closing, with days to come', async (id: number) => void (await close(id)).expect(200)],
  [
    'reopened',
    async (id: number) => {
      ;(await close(id)).expect(200)
      ;(await world.as(world.admin).post(`/tenants/${id}/reopen`)).expect(200)
    },
  ],
  [
    'disabled',
    async (id: number) => void (await world.as(world.admin).put(`/tenants/${id}`, { status: 'disabled' })).expect(200),
  ],
])('a tenant that is %s is never erased, whoever asks', async (_, bring) => {
  const { tenant } = await givenSmall()
  await bring(tenant.id)
  const before = await rowsOf(tenant.id)
  expect(await eraseDueTenants(world.database, storage)).toEqual({})
  await expect(eraseTenant(world.database, tenant.id, async () => 0)).rejects.toMatchObject({ code: '55000' })
  expect(withoutJobs(await rowsOf(tenant.id))).toEqual(withoutJobs(before))
})

test('the first tenant is never erased', async () => {
  await expect(eraseTenant(world.database, 1, async () => 0)).rejects.toMatchObject({ code: '55000' })
})

test('an erasure that is interrupted goes on, loses no count, and cannot be taken back any more', async () => {
  const { tenant } = await givenSmall()
  ;(await close(tenant.id)).expect(200)
  await makeDue(tenant.id)
  const before = await rowsOf(tenant.id)
  const failing = { removeAll: () => Promise.reject(new Error('the storage is away')) }
  await expect(eraseDueTenants(world.database, failing)).rejects.toThrow('the storage is away')
  expect(await rowsOf(tenant.id)).toEqual({})
  expect(await proofOf(tenant.id)).toMatchObject({ erased_at: null })
  ;(await world.as(world.admin).post(`/tenants/${tenant.id}/reopen`)).expect(409, 'TENANT_ERASING')

  const erased = await eraseDueTenants(world.database, storage)
  expect(eventsIn(erased[tenant.code]!.counts)).toBeGreaterThanOrEqual(eventsIn(before))
  for (const [table, count] of Object.entries(withoutJobs(before)))
    expect(erased[tenant.code]!.counts[table] ?? 0, table).toBeGreaterThanOrEqual(count)
  expect(await proofOf(tenant.id)).toMatchObject({ erased_at: expect.any(Date) })
})

test('two erasures at once both end, and count each row once', async () => {
  const { tenant } = await givenSmall()
  ;(await close(tenant.id)).expect(200)
  await makeDue(tenant.id)
  const before = await rowsOf(tenant.id)
  await Promise.allSettled([1, 2, 3].map(() => eraseDueTenants(world.database, storage)))
  await eraseDueTenants(world.database, storage)
  const { counts } = (await proofOf(tenant.id))!
  for (const [table, count] of Object.entries(before))
    if (table !== 'audit_operations' && !WRITTEN_BY_JOBS.test(table)) expect(counts[table], table).toBe(count)
  expect(readdirSync(folder.root)).not.toContain(String(tenant.id))
})

test('a small tenant does not wait until a large one is erased, nor for one that cannot be erased', async () => {
  const [broken, large, small] = [await givenSmall(), await givenSmall(), await givenSmall()]
  await world.look.rows(
    `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent)
     select $1, 'r', 'PUT', '/', '/', 200, 1, '', '' from generate_series(1, 3500)`,
    [large.tenant.id],
  )
  for (const { tenant } of [broken, large, small]) {
    ;(await close(tenant.id)).expect(200)
    await makeDue(tenant.id)
  }
  const order: number[] = []
  const watched = {
    async removeAll(id: number) {
      if (id === broken.tenant.id) throw new Error('not this one')
      order.push(id)
      return storage.removeAll(id)
    },
  }

  await expect(eraseDueTenants(world.database, watched, { turn: 0 })).rejects.toThrow('not this one')

  expect(order).toEqual([small.tenant.id, large.tenant.id])
  expect(Object.keys(await eraseDueTenants(world.database, storage))).toEqual([broken.tenant.code])
})

test('departments that lead to others go, leaves first', async () => {
  const { tenant } = await givenSmall()
  const boss = world.as(tenant.administrator)
  let parentId: number | undefined
  for (let at = 0; at < 5; at++)
    parentId = (
      await boss.post('/departments', { name: `D ${at}`, code: `DEEP${at}`, ...(parentId && { parentId }) })
    ).expect(201).id
  ;(await close(tenant.id)).expect(200)
  await makeDue(tenant.id)
  expect(Object.keys(await eraseDueTenants(world.database, storage))).toEqual([tenant.code])
})
