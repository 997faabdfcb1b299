import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { newFolder } from '../support/folder.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import { until } from '../support/patience.ts'
import { openRemote } from '../support/remote.ts'
import { hasMetrics, startProcess } from '../support/service.ts'
import { startHere } from '../support/service-here.ts'
import { startTwoWorkers, workersOf } from '../support/two-workers.ts'
import { foundCompanies, inHandAt, startWorkload, type Workload } from '../support/workload.ts'
import { openWorld } from '../support/world.ts'

const ME = 'http_requests_total{method="GET",route="/api/v1/auth/me",status="200"}'

const world = await openWorld()
const tenant = await world.givenTenant()
const boss = await world.givenUser(tenant)
const { service, operators, remotes } = await startTwoWorkers(world.databaseUrl, {
  ...{ CONTACT_LIMIT: '10', TRUST_PROXY: '127.0.0.1/32' },
})
const companies = await foundCompanies(service.remote)
for (const remote of remotes) await remote.probe('/livez')

const fromOperators = async (path: string) => (await fetch(`http://127.0.0.1:${operators}${path}`)).text()
const health = async (): Promise<any> => JSON.parse(await fromOperators('/readyz'))

async function metric(name: string): Promise<number> {
  const text = await fromOperators('/metrics')
  const line = text.split('\n').find((line) => line.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

describe.skipIf(!hasMetrics)('two workers behind one port, without Redis', () => {
  test('a limit is counted once, whichever worker is asked', async () => {
    const message = { email: 'ada@example.org', message: 'Hello' }
    let tries = 0
    await until(async () => {
      // Each try comes from an address of its own, as one may end with a 503.
      const from = { 'x-forwarded-for': `203.0.113.${++tries}` }
      const answers = await Promise.all(remotes.map((remote) => remote.as().post('/public/contact', message, from)))

      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([...Array(10).fill(201), ...Array(remotes.length - 10).fill(429)])
    })
  })

  test('one scrape reports all, and the detailed health of each', async () => {
    await until(async () => {
      const before = await metric(ME)
      for (const remote of remotes) (await remote.as(boss.token).get('/auth/me')).expect(200)
      expect(await metric(ME)).toBe(before + remotes.length)
    })
    expect(await metric('workers')).toBe(2)
    await until(async () => expect(await metric('outbox_pending')).toBe(0))
    await until(async () => {
      const { status, checks } = await health()
      expect({ status, checks }).toMatchObject({
        status: 'ok',
        checks: { workers: { status: 'ok' }, isolation: { status: 'ok' } },
      })
      expect(checks).not.toHaveProperty('redis')
    })
  })

  test('each worker knows the last hour of both, and their jobs', async () => {
    for (const remote of remotes) {
      const read = async (path: string): Promise<any> =>
        (await remote.as(world.admin.token).get(`/system/${path}`)).expect(200)
      await until(async () => {
        const { series } = await read('health')
        expect(series.find(({ name }: any) => name === 'processes').points.at(-1)?.[1]).toBe(2)
      })
      const jobs = await read('jobs')
      expect(jobs.map(({ name }: any) => name)).toContain('expired rows')
      expect(await read('findings')).toContainEqual(expect.objectContaining({ name: 'isolation', state: 'ok' }))
    }
  })
})

describe.skipIf(!hasMetrics)('workers under load', () => {
  let workload: Workload
  beforeAll(() => {
    workload = startWorkload(() => service.remote, companies, { clients: 16, reads: 0.4 })
  })

  /** @returns how many have been replaced by then */
  async function untilReplaced(victim: number, before: number) {
    await until(async () => expect(await metric('workers_replaced_total')).toBeGreaterThan(before))
    await until(async () => expect(await health()).toMatchObject({ status: 'ok' }))
    await until(() => {
      expect(workersOf(service)).toHaveLength(2)
      expect(workersOf(service)).not.toContain(victim)
    })
    await workload.served(50)
    return metric('workers_replaced_total')
  }

  test('of which one is killed: it is replaced, and what it has counted stays counted', async () => {
    const counted = await metric(ME)
    const [victim] = workersOf(service)

    process.kill(victim!, 'SIGKILL')

    await untilReplaced(victim!, 0)
    expect(await metric(ME)).toBe(counted)
  })

  test('of which one hangs: it is killed and replaced, and operators see it meanwhile', async () => {
    const before = await metric('workers_replaced_total')
    const [victim] = workersOf(service)

    process.kill(victim!, 'SIGSTOP')

    await until(async () =>
      expect(await health()).toMatchObject({ status: 'degraded', checks: { workers: { status: 'away' } } }),
    )
    await untilReplaced(victim!, before)
    for (let call = 0; call < remotes.length; call++) {
      const fresh = openRemote(service.port, 1)
      expect((await fresh.probe('/livez')).status).toBe(200)
      fresh.close()
    }
  })

  test('that are stopped finish what was asked before, leave no process behind, and have lost nothing acknowledged', async () => {
    const workers = workersOf(service)
    const askedAt = performance.now()
    const ended = await service.end('SIGTERM')
    await workload.stop()

    const started = inHandAt(workload.history, askedAt)
    expect(ended).toMatchObject({ code: 0, signal: null })
    expect(started.length).toBeGreaterThan(0)
    expect(started.filter(({ outcome }) => outcome === 'unknown')).toEqual([])
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH')

    // Another delivers what they have left.
    await startHere(world.databaseUrl)
    await expectNothingLost('workers killed, hung and stopped under load', world.look, workload)
  })
})

test('a worker that ends before the others have started is replaced', async () => {
  const root = newFolder()
  const preload = join(root, 'second-stops.cjs')
  writeFileSync(preload, `if (require('node:cluster').worker?.id === 2) process.kill(process.pid, 'SIGSTOP')\n`)
  const env = { WORKERS: '2', NODE_OPTIONS: `--require ${preload}` }
  // Again if one is killed before the primary hears that it is ready: then the start has failed.
  const starting = await until(async () => {
    const starting = await startProcess({ databaseUrl: await cloneDatabase(), env })
    const [one, other] = workersOf(starting)

    process.kill(one!, 'SIGKILL')
    await until(() => !workersOf(starting).includes(one!))
    process.kill(other!, 'SIGCONT')

    await until(() => workersOf(starting).length === 2 || !starting.isAlive())
    return !starting.output().includes('A worker could not start') && starting
  })
  await until(async () => expect((await starting.remote.probe('/readyz')).status).toBe(200))
  expect(await starting.end('SIGTERM')).toMatchObject({ code: 0 })
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
