import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { extendChain } from '../../src/domains/audit/chain/extend.ts'
import { interleave } from '../support/interleave.ts'
import { openWorld, type Tenant, type World } from '../support/world.ts'

/** Two processes that extend the chain of one audit, met on purpose, as in interleavings.test.ts. */
let world: World
let tenant: Tenant
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())
beforeEach(async () => {
  tenant = await world.givenTenant()
})

const givenRow = async () => (await world.as(tenant.administrator).put('/notifications/read-all')).expect(200)
const extend = () => extendChain(world.database, tenant.id)
const count = (table: string) => world.look.count(`select count(*) from ${table} where tenant_id = $1`, [tenant.id])

test.each([
  ['begin', async () => {}],
  ['extend', extend],
])('a chain that two processes %s at the same moment has one link for each row', async (_, before) => {
  await givenRow()
  await before()
  await givenRow()
  const { waited } = await interleave(world, extend, extend)

  expect(waited).toBe(true)
  expect(await count('audit_links')).toBe(await count('audit_operations'))
})
