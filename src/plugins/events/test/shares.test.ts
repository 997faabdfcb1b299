import { expect, test } from 'vitest'
import { type Client, clientOf } from '#test/client.ts'
import { until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { openWorld, type Tenant } from '#test/world.ts'

/** One tenant takes all that it can get, and another is served beside it. */
const world = await openWorld({ env: { STREAMS: '8' } })

/** One with a key counts as a person does; where nobody has keys, it signs in as a person. */
async function givenSystem(tenant: Tenant): Promise<Client> {
  if (!isHere('keys')) return world.as(await world.givenUser(tenant, 'tenant-admin'))
  const boss = world.as(tenant.administrator)
  const draft = { name: 'Greedy', roleIds: [await world.roleId(tenant, 'tenant-admin')] }
  const { id } = (await boss.post('/service-accounts', draft)).expect(201)
  const { key } = (await boss.post(`/service-accounts/${id}/keys`, { name: 'A key' })).expect(201)
  return clientOf(world.app, { authorization: `Bearer ${key}` })
}

test('a tenant whose systems wait for events has half of the streams, and another gets some', async () => {
  const [greedy, other] = [await world.givenTenant(), await world.givenTenant()]
  const callers = [world.as(greedy.administrator), await givenSystem(greedy)]
  const after = (await callers[0]!.get('/events?pageSize=500')).expect(200).at(-1)!.id
  let refused = 0
  const waiting = Array.from({ length: 10 }, async (_, at) => {
    const answer = await callers[at % 2]!.get(`/events?after=${after}&wait=30`)
    if (answer.status === 503) {
      expect(answer.headers['retry-after']).toMatch(/^\d+$/)
      refused++
    }
    return answer.status
  })
  await until(() => world.app.streams.count() === 4 && refused === 6)

  ;(await world.as(other.administrator).get('/events?wait=1&after=999999')).expect(200)
  expect(world.app.streams.count()).toBe(4)

  await world.givenProject(greedy.administrator)
  expect((await Promise.all(waiting)).sort()).toEqual([...Array(4).fill(200), ...Array(6).fill(503)])
})
