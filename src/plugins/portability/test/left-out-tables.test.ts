import { expect, test } from 'vitest'
import { givenLockers } from '#test/lockers.ts'
import { openWorld } from '#test/world.ts'
import { openTenantRows } from '../archive/tenant-rows.ts'
import { writeTenant } from '../archive/write-tenant.ts'
import { readArchive } from './archive.ts'

const world = await openWorld()
const tenant = await world.givenTenant()
const person = await world.givenUser(tenant)
await givenLockers(world, tenant, person, 'a secret')

test('of a plug-in that is gone secrets stay behind, and other columns go along', async () => {
  const rows = await openTenantRows(world.database, tenant.id)
  const archive = await readArchive(writeTenant(rows!, { read: async () => undefined }, 'test'))

  expect(archive.rows('lockers')).toEqual([expect.objectContaining({ code: null, number: 7, user_id: person.id })])
  expect(archive.manifest.withheld).toMatchObject({ lockers: { columns: ['code'] } })
})

test('a table of tenants of which nothing is said is not exported', async () => {
  await world.look.rows(`delete from table_facts where name = 'lockers'`)

  await expect(openTenantRows(world.database, tenant.id)).rejects.toThrow('Nothing says what is secret in lockers')
})
