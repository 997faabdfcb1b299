import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { interleave } from '#test/interleave.ts'
import { begunCode } from '#test/second-factor.ts'
import { openWorld, type Person, type Tenant, type World } from '#test/world.ts'
import type { SealedSecret } from '../../../../atrium/sealed.ts'
import { transact } from '../../../../data/tx/transact.ts'
import { system } from '../../../../kernel/actor.ts'
import { sealedFactors } from '../../second-factor.actions.ts'

let world: World
let tenant: Tenant
let ann: Person
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())
beforeEach(async () => {
  tenant = await world.givenTenant()
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
