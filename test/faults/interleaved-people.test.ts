import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SealedSecret } from '../../src/atrium/sealed.ts'
import { transact } from '../../src/data/tx/transact.ts'
import { system } from '../../src/kernel/actor.ts'
import { sealedFactors } from '../../src/plugins/second-factor/second-factor.actions.ts'
import { interleave } from '../support/interleave.ts'
import { begunCode } from '../support/second-factor.ts'
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

test('a second factor that has just been turned on keeps its secret', async () => {
  const own = world.as(ann)
  const code = await begunCode(own)
  const { first, second } = await interleave(
    world,
    () => own.post('/auth/second-factor/confirm', { code }),
    () => own.post('/auth/second-factor'),
  )

  first.expect(200)
  second.expect(409, 'SECOND_FACTOR_EXISTS')
})

test('a code that turns a second factor on does not bring back the secret as it was sealed with the former key', async () => {
  const own = world.as(ann)
  const code = await begunCode(own)
  let resealed = ''
  const reseal = () =>
    transact(world.database, { tenantId: tenant.id, actor: system, requestId: 'test' }, async (tx) => {
      const [{ id, place, sealed }] = (await sealedFactors.lockSome(tx, { after: 0, most: 1 })) as [SealedSecret]
      resealed = tx.sealer.seal(tx.sealer.open(sealed, place), place)
      sealedFactors.save(tx, { id, sealed: resealed })
    })
  const { second } = await interleave(world, reseal, () => own.post('/auth/second-factor/confirm', { code }))

  second.expect(200)
  expect(await world.look.rows('select secret from second_factors where user_id = $1', [ann.id])).toEqual([
    { secret: resealed },
  ])
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
