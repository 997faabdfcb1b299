import { afterAll, expect, test } from 'vitest'
import { openWorld, type World } from '../support/world.ts'

const ask = async ({ app }: World) => {
  const answer = await app.inject('/readyz')
  return { status: answer.statusCode, body: answer.json() }
}
/** Without its database a service says goodbye for some seconds. */
let farewell: Promise<unknown>
afterAll(() => farewell)

test('a database that is away makes it not ready, and not dead', async () => {
  const world = await openWorld()
  await world.database.close()

  expect(await ask(world)).toMatchObject({ status: 503 })
  expect(await world.app.readiness()).toMatchObject({ checks: { database: { status: 'away' } } })
  expect((await world.app.inject('/livez')).statusCode).toBe(200)
  farewell = world.app.close()
  await world.look.close()
})

test('the service is ready, and says only that to everyone', async () => {
  const world = await openWorld()
  expect(await ask(world)).toEqual({ status: 200, body: { status: 'ok' } })
  await world.close()
})

test.each([
  ['a table whose row security is no longer forced', 'alter table comments no force row level security', 'open'],
  ['a new table of tenants without any', 'create table gifts (tenant_id bigint, id bigint)', 'open'],
])('%s makes it not ready, also while it runs', async (_, hole, status) => {
  const world = await openWorld()
  await world.look.rows(hole)

  expect(await ask(world)).toEqual({ status: 503, body: { status: 'unavailable' } })
  expect(await world.app.readiness()).toMatchObject({
    status: 'unavailable',
    checks: { database: { status: 'ok' }, migrations: { status: 'ok' }, isolation: { status } },
  })
  await world.close()
})
