import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { interleave } from '../support/interleave.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** What one command does to a person while another relies on them, met on purpose, as in interleavings.test.ts. */
let world: World
let tenant: Tenant
let boss: Person
let ann: Person
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  ann = await world.givenUser(tenant)
})

test('nobody hands in a request while they are deleted', async () => {
  const leader = await world.givenUser(tenant)
  const department = { name: 'Sales', code: 'SALES', leaderId: leader.id }
  const { id: departmentId } = (await world.as(boss).post('/departments', department)).expect(201)
  const draft = (await world.as(ann).post('/approvals', { type: 'leave', title: 'A day', departmentId })).expect(201)
  const { first, second, waited } = await interleave(
    world,
    () => world.as(boss).delete(`/users/${ann.id}`),
    () => world.as(ann).post(`/approvals/${draft.id}/submit`, undefined, { 'idempotency-key': 'x' }),
  )

  expect(first.status).toBeLessThan(300)
  expect(waited).toBe(true)
  expect([401, 404]).toContain(second.status)
})
