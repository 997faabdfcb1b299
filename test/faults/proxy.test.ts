import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { pngOf } from '../support/form.ts'
import { checkDatabase, checkHistory, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { type Nginx, nginxIsHere, startNginx } from '../support/nginx.ts'
import { inTime } from '../support/patience.ts'
import { type RedisServer, redisIsHere, startRedis } from '../support/redis.ts'
import { openRemote, type Remote } from '../support/remote.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { givenFolder } from '../support/uploads.ts'
import { foundCompanies, latencies, startWorkload, statusesOf, tally, type Workload } from '../support/workload.ts'

/** PROXY_KILLS=12 for the full run: one every five seconds, for a minute. */
const KILLS = Number(process.env.PROXY_KILLS ?? 2)
/** `fail_timeout` in deploy/nginx.conf, and a little more */
const FAIL_TIMEOUT_MS = 1200
const EVERY_MS = process.env.PROXY_KILLS ? 5000 : 2000
const CLIENTS = 32
/** nginx leaves a process that has failed alone for a second. */
const FOUND_AGAIN_MS = 1500

const title = 'two processes of the service behind nginx, with Redis'
const here = nginxIsHere(title) && redisIsHere(title)
let databaseUrl: string
let look: Inspector
let redis: RedisServer
let nginx: Nginx
let remote: Remote
const services: ServiceProcess[] = []
let workload: Workload | undefined

beforeAll(async () => {
  if (!here) return
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  redis = await startRedis()
  const ports = [await freePort(), await freePort()] as const
  services.push(...(await Promise.all(ports.map(start))))
  nginx = await startNginx(ports)
  remote = openRemote(nginx.port)
})
afterEach(async () => {
  await workload?.stop()
  workload = undefined
})
afterAll(async () => {
  remote?.close()
  await nginx?.stop()
  await Promise.all(services.map((service) => service.end('SIGKILL')))
  await redis?.stop()
  await look?.close()
  folder.remove()
})

const folder = givenFolder()
const start = (port: number) =>
  startProcess({
    ...{ databaseUrl, redisUrl: redis.url, port },
    env: { TRUST_PROXY: '127.0.0.1/32', FILE_STORAGE_ROOT: folder.root, SHUTDOWN_DELAY_MS: '1000' },
  })

describe.skipIf(!here)(title, () => {
  test(`lose and double nothing that was acknowledged, though one of them is killed ${KILLS} times`, {
    timeout: 60_000 + KILLS * 20_000,
  }, async () => {
    workload = startWorkload(() => remote, await foundCompanies(remote), { clients: CLIENTS, reads: 0.4 })
    const { history, ...seen } = workload
    const begun = performance.now()

    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(Math.max(0, begun + (kill + 0.5) * EVERY_MS - performance.now()))
      const victim = services[kill % 2]!
      await victim.end('SIGKILL')
      await sleep(500)
      services[kill % 2] = await start(victim.port)
      await sleep(FOUND_AGAIN_MS)
    }
    await workload.stop()
    await untilDelivered(look)

    expectNoViolation(
      `${KILLS} kills of one of two, ${CLIENTS} clients`,
      [...(await checkHistory(look, history)), ...(await checkDatabase(look))],
      {
        outcomes: tally(history),
        statuses: statusesOf(history),
        longestWithoutServiceMs: Math.round(longestSilence(history)),
        latencyMs: latencies(history),
      },
    )
    // The answers of nginx are the service's own in form: the workload has looked at each.
    expect(seen).toMatchObject({ foreign: [], malformed: [] })
    expect(history.filter(({ outcome }) => outcome === 'unsent')).toEqual([])
    expect(history.filter(({ outcome, status }) => outcome === 'unknown' && status !== 503)).toEqual([])
    // Each kill costs at most what was in its hands, one for each client, and the first that meet the closed door.
    expect(statusesOf(history)[503] ?? 0).toBeLessThan(KILLS * 3 * CLIENTS)
    expect(longestSilence(history)).toBeLessThan(inTime(3000))
  })

  test('both serve, and one that is stopped in order costs no request that only reads or creates', async () => {
    const companies = await foundCompanies(remote, 1)
    const [boss] = companies[0]!.people
    const client = remote.as(boss!.token)
    // One that was killed just before is passed over by nginx for a second, and both would be away.
    await sleep(FAIL_TIMEOUT_MS)
    const [one, other] = services as [ServiceProcess, ServiceProcess]
    const statuses: Record<number, number> = {}
    let stopping: Promise<unknown> | undefined

    for (let at = 0; at < 200 || one.isAlive(); at++) {
      if (at === 50) stopping = one.end('SIGTERM')
      const { status } =
        at % 4
          ? await client.get(`/projects/${companies[0]!.project}`)
          : await client.post(`/projects/${companies[0]!.project}/tasks`, { title: `task ${at}` })
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    await stopping
    services[0] = await start(one.port)

    expect(Object.keys(statuses)).toEqual(['200', '201'])
    expect(other.isAlive()).toBe(true)
  })

  test('believe the proxy, and nobody else, about the address of a client', async () => {
    const forged = { 'x-forwarded-for': '203.0.113.7', 'x-request-id': 'forged-address' }
    const answer = await signIn(forged)
    answer.expect(200)

    const addresses = `select ip from audit_operations where request_id = 'forged-address'`
    for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) {
      if ((await look.rows(addresses)).length) break
    }
    expect(await look.rows(addresses)).toEqual([{ ip: '127.0.0.1' }])
    expect(answer.headers['x-request-id']).toBe('forged-address')
  })

  test('send what is new down an open stream immediately, whichever of them heard of it', async () => {
    const [company] = await foundCompanies(remote, 1)
    const [boss, receiver] = company!.people
    const ending = new AbortController()
    const stream = await fetch(`http://127.0.0.1:${nginx.port}/api/v1/notifications/stream`, {
      headers: { authorization: `Bearer ${receiver!.token}` },
      signal: ending.signal,
    })
    let heard = ''
    const listening = (async () => {
      for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) heard += chunk
    })().catch(() => {})
    await until(() => heard.includes('unread-count'))

    // Both processes get some of them.
    for (let at = 0; at < 4; at++)
      (
        await remote.as(boss!.token).post(`/tasks/${company!.shared[0]!.id}/comments`, { content: `news ${at}` })
      ).expect(201)

    await until(() => heard.includes('news 3'))
    ending.abort()
    await listening
  })

  test('are sent files through it, and send them back', async () => {
    const files = `http://127.0.0.1:${nginx.port}/api/v1/files`
    const { accessToken } = (await signIn()).expect(200)
    const headers = { authorization: `Bearer ${accessToken}` }
    const picture = pngOf(9_000_000)
    const form = new FormData()
    form.set('file', new Blob([picture as never]), 'large.png')

    const stored = (await (await fetch(files, { method: 'POST', headers, body: form })).json()) as any
    const sent = await fetch(`${files}/${stored.data.key}`, { headers })

    expect(picture.equals(Buffer.from(await sent.arrayBuffer()))).toBe(true)
  })

  test('need not hear what is too large: nginx refuses it in their words', async () => {
    const { accessToken } = (await remote.as().post('/auth/login', { username: 'admin', password: 'admin123' })).expect(
      200,
    )

    for (const size of [1_200_000, 13_000_000])
      (await remote.as(accessToken).post('/projects', { name: 'x'.repeat(size) })).expect(413, 'PAYLOAD_TOO_LARGE')
  })
})

function signIn(headers?: Record<string, string>) {
  return remote.as().post('/auth/login', { username: 'admin', password: 'admin123' }, headers)
}

async function until(condition: () => boolean) {
  for (const end = performance.now() + 20_000; performance.now() < end; await sleep(20)) if (condition()) return
  throw new Error('it did not come to that')
}

/** The longest time, in milliseconds, in which nobody was served. */
function longestSilence(history: Workload['history']): number {
  const served = history.filter(({ outcome }) => outcome === 'ok').map(({ at, ms }) => at + ms)
  const times = served.sort((a, b) => a - b)
  return Math.max(...times.slice(1).map((time, at) => time - times[at]!))
}
