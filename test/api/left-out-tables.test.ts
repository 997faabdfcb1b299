import { expect, test } from 'vitest'
import { sealWith } from '../../src/util/seal.ts'
import { atriumHere } from '../support/cli-here.ts'
import { TEST_SECRET } from '../support/config.ts'
import { givenLockers } from '../support/lockers.ts'
import { openWorld } from '../support/world.ts'

/** A plug-in that was on before and is gone has left a table with secrets of people. What the schema says of it still holds. */
const NEWER = 'a-newer-key-of-the-tests-which-seals-everything'
const world = await openWorld()
const tenant = await world.givenTenant()
const person = await world.givenUser(tenant)
const [older, both] = [sealWith([TEST_SECRET]), sealWith([NEWER, TEST_SECRET])]
const place = `locker ${tenant.id} of ${person.id}`
await givenLockers(world, tenant, person, older.seal('4711', place))

test('its secrets are sealed again when the key changes', async () => {
  const keys = { JWT_SECRET: TEST_SECRET, ENCRYPTION_KEY: `${NEWER},${TEST_SECRET}` }
  const done = await atriumHere('secrets reseal', { env: { DATABASE_URL: world.databaseUrl, ...keys } })

  expect(done.out).toContain('1 secrets were encrypted with the newest key')
  const [{ code }] = (await world.look.rows('select code from lockers')) as [{ code: string }]
  expect([both.isOld(code), both.open(code, place)]).toEqual([false, '4711'])
})

test('and they end with their person', async () => {
  const administrator = world.as(tenant.administrator)
  ;(await administrator.delete(`/users/${person.id}`)).expect(200)

  expect(await world.look.rows('select * from lockers')).toEqual([])
})
