import { expect, onTestFinished, test, vi } from 'vitest'
import { openReceiver, type Receiver } from '#test/receiver.ts'
import { openWorld, type Tenant } from '#test/world.ts'

/** Some tenants take all that they can get, and another is served beside them. */
const world = await openWorld({ env: { WEBHOOK_CONNECTIONS: '8' } })

test('two tenants whose receivers never answer leave room for the deliveries of a third', async () => {
  // Nor does an attempt end by itself.
  const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  onTestFinished(() => limit.mockRestore())
  const never = Promise.withResolvers<void>()
  const pit = await givenReceiver()
  let ended = 0
  pit.answer = async (_, res) => {
    res.once('close', () => ended++)
    await never.promise
  }
  const good = await givenReceiver()
  const [greedy, other, victim] = [await world.givenTenant(), await world.givenTenant(), await world.givenTenant()]
  const happenIn = (tenant: Tenant, count: number) =>
    Promise.all(Array.from({ length: count }, () => world.givenProject(tenant.administrator)))
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
