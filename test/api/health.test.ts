import { expect, test, vi } from 'vitest'
import { Unavailable } from '../../src/data/wire/unavailable.ts'
import { until } from '../support/patience.ts'
import { openWorld } from '../support/world.ts'

const world = await openWorld()
const READY = { status: 200, body: { status: 'ok' } }
const NOT_READY = { status: 503, body: { status: 'unavailable' } }
/** The proof of row security is remembered for half a minute, which passes immediately here. */
const clock = performance.now.bind(performance)
let passed = 0
vi.spyOn(performance, 'now').mockImplementation(() => clock() + passed)

async function ask() {
  const answer = await world.app.inject('/readyz')
  return { status: answer.statusCode, body: answer.json() }
}

test('the service is ready, and says only that to everyone; a database that is away makes it not ready, and not dead', async () => {
  await until(async () => expect(await ask()).toEqual(READY))

  const send = vi.spyOn(world.database, 'send').mockRejectedValue(new Unavailable('away'))
  await until(async () => expect(await ask()).toEqual(NOT_READY))
  expect(await world.app.readiness()).toMatchObject({ checks: { database: { status: 'away' } } })
  expect((await world.app.inject('/livez')).statusCode).toBe(200)

  send.mockRestore()
  await until(async () => expect(await ask()).toEqual(READY))
})

test.each([
  ['alter table comments no force row level security', 'alter table comments force row level security'],
  ['create table gifts (tenant_id bigint, id bigint)', 'drop table gifts'],
])('a hole in the isolation of tenants makes it not ready, also while it runs: %s', async (hole, cure) => {
  await world.look.rows(hole)
  passed += 30_000
  await until(async () => expect(await ask()).toEqual(NOT_READY))
  const checks = { database: { status: 'ok' }, migrations: { status: 'ok' }, isolation: { status: 'open' } }
  await until(async () => expect(await world.app.readiness()).toMatchObject({ status: 'unavailable', checks }))
  await world.look.rows(cure)
  await until(async () => expect(await ask()).toEqual(READY))
})
