import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { until } from '../support/patience.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { openWorld, type Tenant } from '../support/world.ts'

/** One tenant takes all that it can get, and another is served beside it. */
const world = await openWorld({ env: { STREAMS: '8', WEBHOOK_CONNECTIONS: '8' } })
let greedy: Tenant
let other: Tenant
beforeEach(async () => {
  ;[greedy, other] = [await world.givenTenant(), await world.givenTenant()]
})

const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))

test('a tenant whose systems wait for events has half of the streams, and another gets some', async () => {
  const boss = world.as(greedy.administrator)
  const { items } = (await boss.get('/roles?pageSize=100')).expect(200)
  const roleIds = items.filter(({ code }: any) => code === 'tenant-admin').map(({ id }: any) => id)
  const accounts = await Promise.all(
    times(2, async (at) => {
      const account = (await boss.post('/service-accounts', { name: `Greedy ${at}`, roleIds })).expect(201)
      return (await boss.post(`/service-accounts/${account.id}/keys`, { name: 'A key' })).expect(201).key
    }),
  )
  const after = (await boss.get('/events?pageSize=500')).expect(200).at(-1)!.id
  const waiting = times(10, async (at) => {
    const headers = { authorization: `Bearer ${accounts[at % 2]}` }
    const answer = await world.anyone.get(`/events?after=${after}&wait=30`, headers)
    if (answer.status === 503) expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    return answer.status
  })
  await until(() => world.app.streams.count() === 4)

  ;(await world.as(other.administrator).get('/events?wait=1&after=999999')).expect(200)
  expect(world.app.streams.count()).toBe(4)

  await world.givenProject(greedy.administrator)
  expect((await Promise.all(waiting)).sort()).toEqual([...Array(4).fill(200), ...Array(6).fill(503)])
})

test('two tenants whose receivers never answer leave room for the deliveries of a third', async () => {
  const never = Promise.withResolvers<void>()
  const pit = await givenReceiver()
  let ended = 0
  pit.answer = async (_, res) => {
    res.once('close', () => ended++)
    await never.promise
  }
  const good = await givenReceiver()
  const victim = await world.givenTenant()
  const happenIn = (tenant: Tenant, count: number) =>
    Promise.all(times(count, () => world.givenProject(tenant.administrator)))
  for (const [tenant, { url }] of [
    [greedy, pit],
    [other, pit],
    [victim, good],
  ] as const)
    (await world.as(tenant.administrator).post('/webhooks', { url, types: ['project.created'] })).expect(201)

  await Promise.all([happenIn(greedy, 12), happenIn(other, 12)])
  // Five or six of the eight, depending on whose come first.
  await pit.arrivedAt('/', 5)
  await happenIn(victim, 3)
  await good.arrivedAt('/', 3)

  expect(ended).toBe(0)
  never.resolve()
})

async function givenReceiver(): Promise<Receiver> {
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  return receiver
}
