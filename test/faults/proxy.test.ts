import { beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { AtriumError, createClient } from '../../client/index.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { newFolder } from '../support/folder.ts'
import { pngOf } from '../support/form.ts'
import { hold, WAITING } from '../support/interleave.ts'
import { report, untilDelivered } from '../support/invariants.ts'
import { type Nginx, nginxIsHere, startNginx } from '../support/nginx.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import { obeying } from '../support/obedient.ts'
import { inTime, until } from '../support/patience.ts'
import { type RedisServer, redisIsHere, startRedis } from '../support/redis.ts'
import { openRemote, type Remote, type RemoteClient } from '../support/remote.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Company, type Entry, foundCompanies, signIn, startWorkload } from '../support/workload.ts'

/** PROXY_KILLS=50 for the full run. */
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
const folder = newFolder()

beforeAll(async () => {
  if (!here) return
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  redis = await startRedis()
  const ports = [await freePort(), await freePort()] as const
  services.push(...(await Promise.all(ports.map(start))))
  nginx = await startNginx(ports, (file) =>
    file.replace('server_tokens off;', 'server_tokens off; add_header X-Answered-By $upstream_addr always;'),
  )
  remote = openRemote(nginx.port)
  companies = await foundCompanies(remote)
})
const start = (port: number) =>
  startProcess({
    ...{ databaseUrl, redisUrl: redis.url, port },
    env: {
      TRUST_PROXY: '127.0.0.1/32',
      FILE_STORAGE_ROOT: folder,
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
    const account = { username: 'admin', password: 'admin123' }
    const answer = await obeying(() => remote.as().post('/auth/login', account, forged))
    answer.expect(200)

    const addresses = `select ip from audit_operations where request_id = 'forged-address'`
    await expect.poll(() => look.rows(addresses)).toEqual([{ ip: '127.0.0.1' }])
    expect(answer.headers['x-request-id']).toBe('forged-address')
  })

  test('are sent files through it, and send them back', async () => {
    const files = `http://127.0.0.1:${nginx.port}/api/v1/files`
    const headers = { authorization: `Bearer ${(await signIn(remote)).person.token}` }
    const picture = pngOf(9_000_000)
    const form = new FormData()
    form.set('file', new Blob([picture as never]), 'large.png')

    const stored = (await (await fetch(files, { method: 'POST', headers, body: form })).json()) as any
    const sent = await fetch(`${files}/${stored.data.key}`, { headers })

    expect(picture.equals(Buffer.from(await sent.arrayBuffer()))).toBe(true)
  })

  test('need not hear what is too large: nginx refuses it in their words', async () => {
    const { client } = await signIn(remote)

    for (const size of [1_200_000, 13_000_000])
      (await client.post('/projects', { name: 'x'.repeat(size) })).expect(413, 'PAYLOAD_TOO_LARGE')
  })

  test(`lose and double nothing that was acknowledged, though one of them is killed ${KILLS} times`, async () => {
    const workload = startWorkload(() => remote, companies, { clients: CLIENTS, reads: 0.4, restMs: 10 })
    const { history } = workload
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
    // The answers of nginx are the service's own in form: the workload has looked at each.
    await expectNothingLost(`${KILLS} kills of one of two, ${CLIENTS} clients`, look, workload, {
      longestWithoutServiceMs: Math.round(longestSilence(history)),
    })
    expect(history.filter(({ outcome }) => outcome === 'unsent')).toEqual([])
    expect(history.filter(({ outcome, status }) => outcome === 'unknown' && status !== 503)).toEqual([])
    // A change, which is a PUT, costs nginx's look at the closed door. What the other process refuses is its own affair.
    const isOfNginx = ({ status, by }: Entry) => status! >= 500 && by === undefined
    expect(whileDead.filter((entry) => isOfNginx(entry) && READS_AND_POSTS.includes(entry.kind))).toEqual([])
    expect(longestSilence(history)).toBeLessThan(inTime(3000))
  })

  test(`double nothing for clients that believe what they are told, though one of them is killed ${KILLS} times`, async () => {
    const [company] = companies
    const path = `/tasks/${company!.shared[0]!.id}/comments`
    const attempts: Attempt[] = []
    const acknowledged: string[] = []
    let working = true
    let inHand = 0
    const clients = Array.from({ length: 8 }, (_, at) => [obey(at, company!), callTyped(at, company!)]).flat()

    for (let kill = 0; kill < KILLS; kill++) {
      const release = await hold(databaseUrl, 'lock table tasks, task_comments in share mode')
      await until(() => inHand === clients.length)
      // Each process has some of them, which are with the database.
      await until(async () => (await look.countEverywhere(WAITING)) > clients.length / 2)
      const victim = services[kill % 2]!
      await victim.end('SIGKILL')
      await release()
      services[kill % 2] = await start(victim.port)
      const before = acknowledged.length
      await until(() => acknowledged.length > before + clients.length)
    }
    working = false
    await Promise.all(clients)
    await untilDelivered(look)

    const told = Object.groupBy(attempts, (attempt) => attempt.told)
    const denied = (told.UNAVAILABLE ?? []).map(({ requestId }) => requestId)
    const done = await look.rows<{ request_id: string }>(
      'select request_id from audit_operations where status < 400 and request_id = any($1)',
      [denied],
    )
    const stored = await look.rows<{ marker: string; times: number }>(
      `select marker, count(*)::int as times from (
         select substring(title from 'm-[a-z]+-[0-9]+-[0-9]+') as marker from tasks
         union all select substring(content from 'm-[a-z]+-[0-9]+-[0-9]+') from task_comments) markers
        where marker is not null group by 1`,
    )
    const times = new Map(stored.map((row) => [row.marker, row.times]))
    report(`${KILLS} kills of one of two behind nginx, ${clients.length} clients`, [], {
      told: Object.fromEntries(Object.entries(told).map(([what, all]) => [what, all!.length])),
    })
    expect(done).toEqual([])
    expect(stored.filter((row) => row.times > 1)).toEqual([])
    expect(acknowledged.filter((marker) => times.get(marker) !== 1)).toEqual([])
    // What was in hand at a kill was answered truthfully.
    expect(told.OUTCOME_UNKNOWN?.length ?? 0).toBeGreaterThan(0)

    /** Sends commands without a key, and repeats each for as long as the answer says that nothing has happened. */
    async function obey(at: number, { people, project }: Company) {
      const client = remote.as(people[at % people.length]!.token)
      const kinds: ((marker: string) => Parameters<RemoteClient['post']>)[] = [
        (marker) => [`/projects/${project}/tasks`, { title: marker }],
        (marker) => [path, { content: marker }],
      ]
      for (let command = 0; working; command++) {
        const marker = `m-raw-${at}-${command}`
        const [where, body] = kinds[command % kinds.length]!(marker)
        const send = async () => {
          const attempt: Attempt = { requestId: `${marker}-${attempts.length}`, marker, told: 'LOST' }
          attempts.push(attempt)
          const answer = await client.post(where, body, { 'x-request-id': attempt.requestId })
          attempt.told = answer.status < 400 ? 'DONE' : (answer.error?.type ?? String(answer.status))
          if (attempt.told === 'DONE') acknowledged.push(marker)
          return answer
        }
        inHand++
        await obeying(send).catch((error) => {
          if (!error.code) throw error
        })
        inHand--
      }
    }

    async function callTyped(at: number, { people, project }: Company) {
      const accessToken = people[at % people.length]!.token
      const client = createClient({
        baseUrl: `http://127.0.0.1:${nginx.port}`,
        session: { load: () => ({ accessToken, refreshToken: '' }), save() {} },
        retries: 5,
      })
      for (let command = 0; working; command++) {
        const marker = `m-typed-${at}-${command}`
        inHand++
        try {
          await client.createTask({ id: project, body: { title: marker } })
          acknowledged.push(marker)
        } catch (error) {
          if (!(error instanceof AtriumError)) throw error
        } finally {
          inHand--
        }
      }
    }
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

/** One time that a command was sent. */
interface Attempt {
  requestId: string
  /** stands in the text that the command stores */
  marker: string
  /** `LOST`: the connection broke */
  told: string
}

const READS_AND_POSTS: readonly Entry['kind'][] = ['read', 'createTask', 'comment', 'createProject']

/** The longest time, in milliseconds, in which nobody was served. */
function longestSilence(history: readonly Entry[]): number {
  const served = history.filter(({ outcome }) => outcome === 'ok').map(({ at, ms }) => at + ms)
  const times = served.sort((a, b) => a - b)
  return Math.max(...times.slice(1).map((time, at) => time - times[at]!))
}
