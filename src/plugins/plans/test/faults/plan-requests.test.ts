import { beforeAll, describe, expect, test } from 'vitest'
import { type Instance, openInstance } from '#test/instance.ts'
import { until } from '#test/patience.ts'
import { type RedisServer, redisIsHere, startRedis } from '#test/redis.ts'
import { openWorld, type World } from '#test/world.ts'

/** The requests that a plan allows a tenant in a minute: all replicas count together, as long as they have their Redis. */
const MOST = 10
const here = redisIsHere()
const env = { PLANS: JSON.stringify({ test: { requestsPerMinute: MOST } }) }
let redis: RedisServer
let world: World
let replicas: Instance[]
beforeAll(async () => {
  if (!here) return
  redis = await startRedis()
  world = await openWorld()
  const open = () => openInstance(world.databaseUrl, { env, redisUrl: redis.patientUrl })
  replicas = await Promise.all([open(), open()])
  await untilConnected()
})

const untilConnected = () => until(() => replicas.every((replica) => replica.hasRedis()))

/** The statuses of requests of a new tenant, in turn to both replicas. */
async function statusesOf(count: number) {
  const { administrator } = await world.givenTenant()
  const clients = replicas.map((replica) => replica.as(administrator))
  const statuses: number[][] = [[], []]
  for (let at = 0; at < count; at++) statuses[at % 2]!.push((await clients[at % 2]!.get('/notifications')).status)
  return statuses
}
const allowed = (statuses: number[]) => statuses.filter((status) => status === 200).length

describe.skipIf(!here)('the requests of a plan', () => {
  async function expectCountedTogether() {
    const statuses = await statusesOf(2 * MOST)
    expect(statuses.flat().filter((status) => status !== 200 && status !== 429)).toEqual([])
    expect(statuses.map(allowed)).toEqual([MOST / 2, MOST / 2])
  }

  test('are counted by all replicas together', expectCountedTogether)

  test('are counted by each replica alone while Redis is away, and together once it is back', async () => {
    await redis.kill()
    const statuses = await statusesOf(4 * MOST)
    expect(statuses.map(allowed)).toEqual([MOST, MOST])
    expect(statuses.flat().filter((status) => status !== 200 && status !== 429)).toEqual([])

    await redis.start()
    await untilConnected()
    await expectCountedTogether()
  })
})
