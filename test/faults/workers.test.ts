import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, checkHistory, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { type Listener, listen } from '../support/listener.ts'
import { inTime } from '../support/patience.ts'
import { openRemote, type Remote } from '../support/remote.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { foundCompanies, startWorkload, tally, type Workload } from '../support/workload.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** As many as reach both workers: the kernel deals them out by their ports, so that all go to one happens once in 2^15. */
const CONNECTIONS = 16
const PATIENCE_MS = 10_000
/** STREAMS_PER_USER by default */
const MOST_STREAMS = 12

const workersOf = (service: ServiceProcess): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === service.pid)
    .map(([pid]) => pid!)

async function scrape(port: number): Promise<(name: string) => number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return (name) => {
    const line = text.split('\n').find((line) => line.startsWith(`${name} `))
    return line === undefined ? undefined : Number(line.slice(name.length + 1))
  }
}

describe('two workers behind one port, without Redis', () => {
  let world: World
  let tenant: Tenant
  let boss: Person
  let service: ServiceProcess
  let operators: number
  let remotes: Remote[]
  const listeners: Listener[] = []

  beforeAll(async () => {
    world = await openWorld()
    tenant = await world.givenTenant()
    boss = await world.givenUser(tenant)
    operators = await freePort()
    const env = { WORKERS: '2', METRICS_PORT: String(operators), SIGN_IN_LIMIT: '10' }
    service = await startProcess({ databaseUrl: world.databaseUrl, env })
    while (workersOf(service).length < 2) await sleep(50)
    remotes = Array.from({ length: CONNECTIONS }, () => openRemote(service.port, 1))
    for (const remote of remotes) await remote.probe('/livez')
  })
  afterAll(async () => {
    for (const listener of listeners) listener.leave()
    for (const remote of remotes ?? []) remote.close()
    if (service?.isAlive()) await service.end('SIGKILL')
    await world?.close()
  })

  test('a limit is counted once, whichever worker is asked', async () => {
    const guess = { username: boss.username, password: 'wrong-password', tenantCode: tenant.code }
    const statuses: number[] = []
    for (let round = 0; round < 3; round++)
      for (const remote of remotes) statuses.push((await remote.as().post('/auth/login', guess)).status)

    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - 10)
  })

  test('what is done through one is heard on streams of both, and each notification once', async () => {
    const reader = await world.givenUser(tenant)
    const project = await world.givenProject(boss)
    await world.givenMember(boss, project, reader)
    const task = await world.givenTask(reader, project)
    for (let tab = 0; tab < 4; tab++) listeners.push(await listen(service.port, reader.token))
    for (const tab of listeners) await tab.until('a greeting', ({ heard }) => heard.length > 0)

    for (const [at, remote] of remotes.entries())
      (await remote.as(boss.token).post(`/tasks/${task.id}/comments`, { content: `comment ${at}` })).expect(201)

    for (const tab of listeners) await tab.until('all of them', () => tab.ids().length >= remotes.length, PATIENCE_MS)
    const inbox = await world.look.rows(
      `select id::float8 from notifications where receiver_id = $1 and type = 'TASK_COMMENTED' order by id`,
      [reader.id],
    )
    for (const tab of listeners) expect([...tab.ids()].sort((a, b) => a - b)).toEqual(inbox.map(({ id }: any) => id))
  })

  test('who has lost their rights through one is refused by both within a second', async () => {
    const member = await world.givenUser(tenant)
    const ask = () => Promise.all(remotes.map((remote) => remote.as(member.token).get('/projects')))
    expect((await ask()).map(({ status }) => status)).toEqual(remotes.map(() => 200))

    ;(await remotes[0]!.as(tenant.administrator.token).put(`/users/${member.id}`, { status: 'disabled' })).expect(200)
    await sleep(1000)

    expect((await ask()).map(({ status }) => status)).toEqual(remotes.map(() => 401))
  })

  test('one scrape reports all, and the detailed health of each', async () => {
    const route = 'http_requests_total{method="GET",route="/api/v1/auth/me",status="200"}'
    for (const remote of remotes) (await remote.as(boss.token).get('/auth/me')).expect(200)

    const metric = await scrape(operators)
    expect(metric('workers')).toBe(2)
    expect(metric(route)).toBe(remotes.length)
    expect(metric('outbox_pending')).toBe(0)
    const health: any = await (await fetch(`http://127.0.0.1:${operators}/readyz`)).json()
    expect(health).toMatchObject({ status: 'ok', checks: { workers: { status: 'ok' }, isolation: { status: 'ok' } } })
    expect(health.checks).not.toHaveProperty('redis')
  })

  test('each worker knows the last hour of both, and their jobs', async () => {
    const read = (remote: Remote, path: string) => remote.as(world.admin.token).get(path)
    for (const remote of remotes)
      await expect
        .poll(
          async () => {
            const health: any = (await read(remote, '/system/health')).expect(200)
            return health.series.find(({ name }: any) => name === 'processes').points.at(-1)?.[1]
          },
          { timeout: 60_000 },
        )
        .toBe(2)
    for (const remote of remotes) {
      const jobs: any = (await read(remote, '/system/jobs')).expect(200)
      expect(jobs.map(({ name }: any) => name)).toContain('expired rows')
      const findings: any = (await read(remote, '/system/findings')).expect(200)
      expect(findings).toContainEqual(expect.objectContaining({ name: 'isolation', state: 'ok' }))
    }
  })

  test('a person has as many streams as one process would give them; the next closes their oldest', async () => {
    const reader = await world.givenUser(tenant)
    const tabs: Listener[] = []
    for (let tab = 0; tab < MOST_STREAMS + 4; tab++) {
      tabs.push(await listen(service.port, reader.token))
      // The workers learn of it one after the other.
      await sleep(50)
    }
    listeners.push(...tabs)
    const open = () => tabs.map(({ isOpen }) => isOpen)

    await expect.poll(open, { timeout: PATIENCE_MS }).toEqual(tabs.map((_, at) => at >= tabs.length - MOST_STREAMS))
    tabs.at(-1)!.leave()
    await sleep(200)
    listeners.push(await listen(service.port, reader.token))
    await sleep(500)
    expect(open().filter(Boolean)).toHaveLength(MOST_STREAMS - 1)
  })

  test('a worker that is killed is replaced, and what it has counted stays counted', async () => {
    const route = 'http_requests_total{method="GET",route="/api/v1/auth/me",status="200"}'
    const before = (await scrape(operators))(route)!
    const [victim] = workersOf(service)

    process.kill(victim!, 'SIGKILL')

    await expect.poll(async () => (await scrape(operators))('workers_replaced_total'), { timeout: PATIENCE_MS }).toBe(1)
    await expect
      .poll(async () => (await fetch(`http://127.0.0.1:${operators}/readyz`)).json(), { timeout: PATIENCE_MS })
      .toMatchObject({ status: 'ok' })
    expect(workersOf(service)).toHaveLength(2)
    expect(workersOf(service)).not.toContain(victim)
    expect((await scrape(operators))(route)).toBe(before)
  })

  test('a worker that hangs is killed and replaced, and operators see it meanwhile', {
    timeout: 90_000,
  }, async () => {
    const replaced = (await scrape(operators))('workers_replaced_total')!
    const [victim] = workersOf(service)

    process.kill(victim!, 'SIGSTOP')

    const health = async () => (await fetch(`http://127.0.0.1:${operators}/readyz`)).json()
    await expect.poll(health, { timeout: PATIENCE_MS }).toMatchObject({
      status: 'degraded',
      checks: { workers: { status: 'away' } },
    })
    await expect
      .poll(async () => (await scrape(operators))('workers_replaced_total'), { timeout: 60_000, interval: 500 })
      .toBe(replaced + 1)
    await expect.poll(health, { timeout: 30_000 }).toMatchObject({ status: 'ok' })
    expect(workersOf(service)).toHaveLength(2)
    expect(workersOf(service)).not.toContain(victim)
    for (let call = 0; call < 40; call++) {
      const fresh = openRemote(service.port, 1)
      expect((await fresh.probe('/livez')).status).toBe(200)
      fresh.close()
    }
  })
})

describe('workers under load', () => {
  let databaseUrl: string
  let look: Inspector
  let service: ServiceProcess
  let workload: Workload | undefined
  beforeEach(async () => {
    databaseUrl = await cloneDatabase()
    look = await openInspector(databaseUrl)
    service = await startProcess({ databaseUrl, env: { WORKERS: '2' } })
    const companies = await foundCompanies(service.remote)
    workload = startWorkload(() => service.remote, companies, { clients: 32, reads: 0.4 })
  })
  afterEach(async () => {
    await workload?.stop()
    if (service?.isAlive()) await service.end('SIGKILL')
    await look?.close()
  })

  test('of which one is killed again and again lose nothing that was acknowledged', async () => {
    for (let kill = 0; kill < 3; kill++) {
      await sleep(800)
      await expect.poll(() => workersOf(service).length, { timeout: PATIENCE_MS }).toBe(2)
      process.kill(workersOf(service)[kill % 2]!, 'SIGKILL')
    }
    await sleep(800)
    await workload!.stop()
    await untilDelivered(look)

    const { history, foreign, malformed } = workload!
    expectNoViolation(
      'workers killed under load',
      [...(await checkHistory(look, history)), ...(await checkDatabase(look))],
      { outcomes: tally(history) },
    )
    expect({ foreign, malformed }).toEqual({ foreign: [], malformed: [] })
    expect(service.isAlive()).toBe(true)
  })

  test('that are stopped finish what was asked before, and leave no process behind', async () => {
    await sleep(700)
    const workers = workersOf(service)
    const askedAt = performance.now()
    const ended = await service.end('SIGTERM')
    await workload!.stop()

    const { history } = workload!
    const started = history.filter(({ at, sentAt = at, ms }) => sentAt < askedAt && at + ms > askedAt)
    expect(ended).toMatchObject({ code: 0, signal: null })
    expect(ended.after).toBeLessThan(inTime(PATIENCE_MS))
    expect(started.filter(({ outcome }) => outcome === 'unknown')).toEqual([])
    expectNoViolation('SIGTERM to workers', await checkHistory(look, history), { outcomes: tally(history) })
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

test('a port that is taken ends the start, and says so', async () => {
  const squatter = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const { port } = squatter.address() as AddressInfo

  await expect(startProcess({ databaseUrl: await cloneDatabase(), port, env: { WORKERS: '2' } })).rejects.toThrow(
    `Port ${port} is in use by another program`,
  )
  squatter.close()
})
