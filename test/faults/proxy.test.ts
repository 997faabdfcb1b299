import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { pngOf } from '../support/form.ts'
import { checkDatabase, checkHistory, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { type Nginx, nginxIsHere, startNginx } from '../support/nginx.ts'
import { inTime, until } from '../support/patience.ts'
import { type RedisServer, redisIsHere, startRedis } from '../support/redis.ts'
import { openRemote, type Remote } from '../support/remote.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { givenFolder } from '../support/uploads.ts'
import {
  type Company,
  type Entry,
  foundCompanies,
  latencies,
  startWorkload,
  statusesOf,
  tally,
  type Workload,
} from '../support/workload.ts'

/** PROXY_KILLS=12 for the full run. */
const KILLS = Number(process.env.PROXY_KILLS ?? 1)
const CLIENTS = 12

const here = nginxIsHere() && redisIsHere()
let databaseUrl: string
let look: Inspector
let redis: RedisServer
let nginx: Nginx
let remote: Remote
let companies: Company[]
const services: ServiceProcess[] = []
let workload: Workload | undefined

beforeAll(async () => {
  if (!here) return
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  redis = await startRedis()
  const ports = [await freePort(), await freePort()] as const
  services.push(...(await Promise.all(ports.map(start))))
  nginx = await startNginx(ports, (file) =>
    file.replace('server_tokens off;', 'server_tokens off; add_header X-Answered-By $upstream_addr;'),
  )
  remote = openRemote(nginx.port)
  companies = await foundCompanies(remote)
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
    env: {
      TRUST_PROXY: '127.0.0.1/32',
      FILE_STORAGE_ROOT: folder.root,
      SHUTDOWN_DELAY_MS: '1000',
      // A database that is slow because the machine is would be answered with the same 503.
      DATABASE_TIMEOUT_MS: '60000',
    },
  })

/** nginx leaves a process that has failed alone for a second. */
async function untilBothAnswer() {
  const answering = new Set<unknown>()
  await until(async () => {
    answering.add((await remote.as().get('/public/home')).headers['x-answered-by'])
    return services.every(({ port }) => answering.has(`127.0.0.1:${port}`))
  })
}

describe.skipIf(!here)('two processes of the service behind nginx, with Redis', () => {
  test('believe the proxy, and nobody else, about the address of a client', async () => {
    const forged = { 'x-forwarded-for': '203.0.113.7', 'x-request-id': 'forged-address' }
    const answer = await signIn(forged)
    answer.expect(200)

    const addresses = `select ip from audit_operations where request_id = 'forged-address'`
    await expect.poll(() => look.rows(addresses)).toEqual([{ ip: '127.0.0.1' }])
    expect(answer.headers['x-request-id']).toBe('forged-address')
  })

  test('send what is new down an open stream immediately, whichever of them heard of it', async () => {
    const [company] = companies
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
    const { accessToken } = (await signIn()).expect(200)

    for (const size of [1_200_000, 13_000_000])
      (await remote.as(accessToken).post('/projects', { name: 'x'.repeat(size) })).expect(413, 'PAYLOAD_TOO_LARGE')
  })
  test(`lose and double nothing that was acknowledged, though one of them is killed ${KILLS} times`, async () => {
    workload = startWorkload(() => remote, companies, { clients: CLIENTS, reads: 0.4, restMs: 10 })
    const { history, ...seen } = workload
    const whileDead: Entry[] = []

    for (let kill = 0; kill < KILLS; kill++) {
      await workload.served(5 * CLIENTS)
      const victim = services[kill % 2]!
      await victim.end('SIGKILL')
      const deadFrom = history.length
      for (const kind of [...READS_AND_POSTS, 'updateTask']) await workload.served(1, (entry) => entry.kind === kind)
      whileDead.push(...history.slice(deadFrom))
      services[kill % 2] = await start(victim.port)
      await untilBothAnswer()
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
    // A change, which is a PUT, costs nginx's look at the closed door.
    expect(whileDead.filter(({ kind, status }) => status! >= 500 && READS_AND_POSTS.includes(kind))).toEqual([])
    expect(longestSilence(history)).toBeLessThan(inTime(3000))
  })

  test('one that is stopped in order costs no request that only reads or creates', async () => {
    const [company] = companies
    const client = remote.as(company!.people[0]!.token)
    await untilBothAnswer()
    const [stopping, other] = services as [ServiceProcess, ServiceProcess]
    const statuses = new Set<number>()
    const stopped = stopping.end('SIGTERM')

    for (let at = 0; at < 20 || stopping.isAlive(); at++) {
      const { status } =
        at % 4
          ? await client.get(`/projects/${company!.project}`)
          : await client.post(`/projects/${company!.project}/tasks`, { title: `task ${at}` })
      statuses.add(status)
    }
    await stopped

    expect(statuses).toEqual(new Set([200, 201]))
    expect(other.isAlive()).toBe(true)
  })
})

const READS_AND_POSTS: readonly Entry['kind'][] = ['read', 'createTask', 'comment', 'createProject']

function signIn(headers?: Record<string, string>) {
  return remote.as().post('/auth/login', { username: 'admin', password: 'admin123' }, headers)
}

/** The longest time, in milliseconds, in which nobody was served. */
function longestSilence(history: readonly Entry[]): number {
  const served = history.filter(({ outcome }) => outcome === 'ok').map(({ at, ms }) => at + ms)
  const times = served.sort((a, b) => a - b)
  return Math.max(...times.slice(1).map((time, at) => time - times[at]!))
}
