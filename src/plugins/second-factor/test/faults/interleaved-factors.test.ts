import { beforeEach, describe, expect, test } from 'vitest'
import type { Answer, Client } from '#test/client.ts'
import { holdRow, meet, waitsForLock, waitsForSecret } from '#test/interleave.ts'
import { givenPassword } from '#test/quick-hash.ts'
import { changeSealed } from '#test/sealed.ts'
import { addFactor, begunCode } from '#test/second-factor.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'

let tenant: Tenant
let ann: Person
const world = await openWorld()
beforeEach(async () => {
  tenant = await world.givenTenant()
  ann = await world.givenUser(tenant)
})

test('a second factor that has just been turned on keeps its secret', async () => {
  const own = world.as(ann)
  const code = await begunCode(own)
  const confirm = () => own.post('/auth/second-factor/confirm', { code })
  await meet(world, [confirm, 200], [() => own.post('/auth/second-factor'), 409, 'SECOND_FACTOR_EXISTS'])
})

test('a code that turns a second factor on does not bring back the secret as it was sealed with the former key', async () => {
  const own = world.as(ann)
  const code = await begunCode(own)
  const { sealer } = world.database
  let confirming!: ReturnType<typeof own.post>
  let resealed = ''
  await changeSealed(world, tenant.id, async ({ sealed, place }) => {
    confirming = own.post('/auth/second-factor/confirm', { code })
    expect(await waitsForLock(world, confirming)).toBe(true)
    resealed = sealer!.seal(sealer!.open(sealed, place), place)
    return resealed
  })

  ;(await confirming).expect(200)
  expect(await world.look.rows('select secret from second_factors where user_id = $1', [ann.id])).toEqual([
    { secret: resealed },
  ])
})

describe('a session that is ended while the command is under way', () => {
  const PASSWORD = 'a long and winding road'
  let own: Client
  beforeEach(async () => {
    own = world.as(await givenPassword(world, ann, PASSWORD))
  })
  const factor = async () =>
    world.look.rows(
      'select f.secret, u.second_factor_at from users u left join second_factors f on f.user_id = u.id where u.id = $1',
      [ann.id],
    )

  test.each<[string, () => Promise<() => Promise<Answer>>]>([
    ['begins no second factor', async () => () => own.post('/auth/second-factor', { password: PASSWORD })],
    [
      'confirms none',
      async () => {
        const code = await begunCode(own, PASSWORD)
        return () => own.post('/auth/second-factor/confirm', { code })
      },
    ],
    [
      'removes none',
      async () => {
        await addFactor(own, PASSWORD)
        const payload = { password: PASSWORD }
        return () => own.send({ method: 'DELETE', url: '/api/v1/auth/second-factor', payload })
      },
    ],
  ])('%s', async (_, prepare) => {
    const command = await prepare()
    const before = await factor()
    const release = await holdRow(world, tenant, `select 1 from users where id = ${ann.id} for update`)
    const answer = command()
    expect(await waitsForLock(world, answer)).toBe(true)
    await world.look.rows('delete from sessions where user_id = $1', [ann.id])
    await release()

    ;(await answer).expect(401, 'UNAUTHENTICATED')
    expect(await factor()).toEqual(before)
  })
})

test('a change of the sealing key waits for a change of the secret', async () => {
  const insert = `insert into second_factors (tenant_id, user_id, secret) select $1, id, 'x' from users where tenant_id = $1 limit 1`
  expect(await waitsForSecret(world, 'second_factors.secret', insert)).toBe(true)
})
