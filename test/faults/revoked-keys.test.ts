import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { report } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import { type RedisServer, redisIsHere, startRedis } from '../support/redis.ts'
import type { RemoteClient } from '../support/remote.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { foundCompanies } from '../support/workload.ts'

/** KEY_REVOCATIONS=30 for the full run. */
const REVOCATIONS = Number(process.env.KEY_REVOCATIONS ?? 2)
/** Requests that each replica gets at the same time, on connections of their own, which its workers share. */
const ASKING = 6
const PAUSE_MS = 20

let replicas: ServiceProcess[] = []
let redis: RedisServer | undefined
let look: Inspector | undefined
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.end('SIGKILL')))
  await redis?.stop()
  await look?.close()
  replicas = []
  redis = undefined
})

async function givenReplicas(): Promise<RemoteClient> {
  const databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  for (let n = 0; n < 2; n++)
    replicas.push(await startProcess({ databaseUrl, ...(redis && { redisUrl: redis.url }), env: { WORKERS: '2' } }))
  const [company] = await foundCompanies(replicas[0]!.remote, 1)
  return replicas[0]!.remote.as(company!.people[0]!.token)
}

async function givenKey(manager: RemoteClient) {
  const account = (await manager.post('/service-accounts', { name: 'Nightly', roleIds: [] })).expect(201)
  const { id, key } = (await manager.post(`/service-accounts/${account.id}/keys`, { name: 'It' })).expect(201)
  return { path: `/service-accounts/${account.id}/keys/${id}`, key: key as string }
}

/** Uses a key on all replicas without end. Says when the last accepted request left, and which loops were refused. */
function use(key: string) {
  const seen = { accepted: 0, last: 0, refused: new Set<number>() }
  let isOver = false
  const loops = replicas.flatMap(({ remote }, at) =>
    Array.from({ length: ASKING }, async (_, n) => {
      while (!isOver) {
        const sentAt = performance.now()
        const status = await remote
          .as(key)
          .get('/users/me')
          .then(
            (answer) => answer.status,
            () => 0,
          )
        if (status === 200) Object.assign(seen, { accepted: seen.accepted + 1, last: Math.max(seen.last, sentAt) })
        if (status === 401) seen.refused.add(at * ASKING + n)
        await sleep(PAUSE_MS)
      }
    }),
  )
  return {
    seen,
    async stop() {
      isOver = true
      await Promise.all(loops)
    },
  }
}

const cutConnections = () =>
  look!.rows(`select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and application_name = 'atrium' and pid <> pg_backend_pid()`)

/** @returns ms from the answer to the revocation to the last request with the key that left and was accepted */
async function revoke(manager: RemoteClient, isCut: boolean): Promise<number> {
  const { path, key } = await givenKey(manager)
  const using = use(key)
  await expect.poll(() => using.seen.accepted, { timeout: inTime(10_000) }).toBeGreaterThan(4 * ASKING)
  ;(await manager.delete(path)).expect(200)
  const revokedAt = performance.now()
  if (isCut) await cutConnections()
  await expect.poll(() => using.seen.refused.size, { timeout: inTime(5000) }).toBe(2 * ASKING)
  // Nobody who was refused is let in again.
  await sleep(300)
  await using.stop()
  return Math.max(0, using.seen.last - revokedAt)
}

test.each([
  ['without Redis', false],
  ['with Redis', true],
])(
  'a revoked key works for no longer than a second on any worker of two replicas, %s, also if their connections are cut',
  {
    timeout: 120_000 + REVOCATIONS * 30_000,
  },
  async (name, needsRedis) => {
    if (needsRedis && !redisIsHere('revoked keys')) return
    if (needsRedis) {
      redis = await startRedis()
    }
    const manager = await givenReplicas()
    const times: number[] = []
    for (let n = 0; n < REVOCATIONS; n++) times.push(await revoke(manager, n % 2 === 1))
    report(`revoked keys ${name}`, [], { revocations: REVOCATIONS, longestMs: Math.round(Math.max(...times)) })
    expect(Math.max(...times)).toBeLessThan(inTime(1000))
  },
)
