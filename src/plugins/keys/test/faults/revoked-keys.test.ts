import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cloneDatabase, openInspector } from '#test/database.ts'
import { report } from '#test/invariants.ts'
import { obeying } from '#test/obedient.ts'
import { inTime, until } from '#test/patience.ts'
import { redisIsHere, startRedis } from '#test/redis.ts'
import type { RemoteClient } from '#test/remote.ts'
import { startProcess } from '#test/service.ts'
import { foundCompanies } from '#test/workload.ts'

/** KEY_REVOCATIONS=30 for the full run. */
const REVOCATIONS = Number(process.env.KEY_REVOCATIONS ?? 2)
/** Loops that ask each replica at the same time, on connections of their own, which its workers share. */
const ASKING = 4
const PAUSE_MS = 20

const databaseUrl = await cloneDatabase()
const look = await openInspector(databaseUrl)
const told = redisIsHere() && { redisUrl: (await startRedis()).url }
const replicas = await Promise.all([
  startProcess({ databaseUrl, env: { WORKERS: '2' } }),
  startProcess({ databaseUrl, ...told }),
  startProcess({ databaseUrl, ...told }),
])
const [company] = await foundCompanies(replicas[0]!.remote, 1)
/** Somebody who manages keys, at each replica. */
const managers = replicas.map(({ remote }) => remote.as(company!.people[0]!.token))

async function givenKey(manager: RemoteClient) {
  const account = (await obeying(() => manager.post('/service-accounts', { name: 'Nightly', roleIds: [] }))).expect(201)
  const keys = `/service-accounts/${account.id}/keys`
  const { id, key } = (await obeying(() => manager.post(keys, { name: 'It' }))).expect(201)
  return { path: `${keys}/${id}`, key: key as string }
}

/** Uses a key on all replicas without end. */
function use(key: string) {
  const loops = replicas.flatMap(({ remote }) =>
    Array.from({ length: ASKING }, () => ({ client: remote.as(key), accepted: 0, refusedInARow: 0, last: 0 })),
  )
  let isOver = false
  const asking = loops.map(async (loop) => {
    for (; !isOver; await sleep(PAUSE_MS)) {
      const sentAt = performance.now()
      const answer = await loop.client.get('/users/me').catch(() => undefined)
      if (answer?.status === 200) Object.assign(loop, { accepted: loop.accepted + 1, last: sentAt, refusedInARow: 0 })
      if (answer?.status === 401) loop.refusedInARow++
    }
  })
  return {
    loops,
    async stop() {
      isOver = true
      await Promise.all(asking)
    },
  }
}

const cutConnections = () =>
  look.rows(`select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and application_name = 'atrium' and pid <> pg_backend_pid()`)

test('a revoked key works for no longer than a second, on any worker, with Redis and without, also if connections are cut', async () => {
  const times: number[] = []
  for (let n = 0; n < REVOCATIONS; n++) {
    const manager = managers[n % managers.length]!
    const { path, key } = await givenKey(manager)
    const { loops, stop } = use(key)
    await until(() => loops.every(({ accepted }) => accepted > 2))
    ;(await obeying(() => manager.delete(path))).expect(200)
    const revokedAt = performance.now()
    if (n % 2) await cutConnections()
    // Within the second one worker may still accept what another already refuses.
    await until(() => loops.every(({ refusedInARow }) => refusedInARow > 10))
    await stop()

    times.push(Math.max(0, ...loops.map(({ last }) => last - revokedAt)))
  }
  report('revoked keys', [], { revocations: REVOCATIONS, longestMs: Math.round(Math.max(...times)) })
  expect(Math.max(...times)).toBeLessThan(inTime(1000))
})
