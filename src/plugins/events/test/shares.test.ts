import { expect, test } from 'vitest'
import { until } from '#test/patience.ts'
import { openWorld } from '#test/world.ts'

/** One tenant takes all that it can get, and another is served beside it. */
const world = await openWorld({ env: { STREAMS: '8' } })

test('a tenant whose systems wait for events has half of the streams, and another gets some', async () => {
  const [greedy, other] = [await world.givenTenant(), await world.givenTenant()]
  const callers = [greedy.administrator, await world.givenUser(greedy, 'tenant-admin')].map(world.as)
  const after = (await callers[0]!.get('/events?pageSize=500')).expect(200).at(-1)!.id
  const waiting = Array.from({ length: 10 }, async (_, at) => {
    const answer = await callers[at % 2]!.get(`/events?after=${after}&wait=30`)
    if (answer.status === 503) expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    return answer.status
  })
  await until(() => world.app.streams.count() === 4)

  ;(await world.as(other.administrator).get('/events?wait=1&after=999999')).expect(200)
  expect(world.app.streams.count()).toBe(4)

  await world.givenProject(greedy.administrator)
  expect((await Promise.all(waiting)).sort()).toEqual([...Array(4).fill(200), ...Array(6).fill(503)])
})
