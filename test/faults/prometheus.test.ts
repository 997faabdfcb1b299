import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { cloneDatabase } from '../support/database.ts'
import { until } from '../support/patience.ts'
import { findProgram } from '../support/programs.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Company, foundCompanies } from '../support/workload.ts'

const dashboard = JSON.parse(readFileSync(new URL('../../deploy/grafana/atrium.json', import.meta.url), 'utf8'))
const queries = (dashboard.panels as { title: string; targets?: { expr: string }[] }[]).flatMap(
  ({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const),
)

const program = findProgram('prometheus')
const here = program !== undefined && findProgram('redis-server') !== undefined

let redis: RedisServer
let service: ServiceProcess
let prometheus: ChildProcess
let base: string
const dir = mkdtempSync(join(tmpdir(), 'atrium-prometheus-'))

beforeAll(async () => {
  if (!here) return
  const [metricsPort, port] = [await freePort(), await freePort()]
  redis = await startRedis()
  const env = { METRICS_PORT: String(metricsPort), SIGN_IN_LIMIT: '2' }
  service = await startProcess({ databaseUrl: await cloneDatabase(), redisUrl: redis.url, env })
  prometheus = await startPrometheus(port, metricsPort)
  base = `http://127.0.0.1:${port}`
  // A series that begins has no rate: it is scraped before and behind what happens.
  await untilScrapes(1)
  const [company] = await foundCompanies(service.remote, 1)
  await whateverHappens(company!)
  await untilScrapes(2)
  await whateverHappens(company!)
  await untilScrapes(2)
})
afterAll(async () => {
  prometheus?.kill('SIGKILL')
  if (service?.isAlive()) await service.end('SIGKILL')
  await redis?.stop()
  rmSync(dir, { recursive: true, force: true })
})

describe.skipIf(!here)('the dashboard on a real Prometheus', () => {
  test.each(queries)('%s: %s', async (_, expr) => {
    const query = expr
      .replaceAll(/\$job|\$instance/g, '.*')
      .replaceAll('$__rate_interval', '1m')
      .replaceAll('$__interval', '1m')
    await expect.poll(() => resultsOf(query), { interval: 500 }).not.toEqual([])
  })
})

/** Requests of each kind that a panel shows: work, refusals of all sorts. */
async function whateverHappens({ people, shared: [task] }: Company) {
  const client = service.remote.as(people[0]!.token)
  await client.put(`/tasks/${task!.id}`, { version: 99, title: 'late' })
  const key = { 'idempotency-key': crypto.randomUUID() }
  const project = () => client.post('/projects', { name: 'Twice', code: `T${Date.now()}` }, key)
  await project()
  await project()
  for (let times = 0; times < 4; times++)
    await service.remote.as().post('/auth/login', { username: 'nobody-here', password: 'wrong one' })
}

async function startPrometheus(port: number, metricsPort: number): Promise<ChildProcess> {
  const scrape = { scrape_interval: '1s', scrape_timeout: '1s' }
  const jobs = [{ job_name: 'atrium', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }]
  // JSON is YAML.
  writeFileSync(join(dir, 'prometheus.yaml'), JSON.stringify({ global: scrape, scrape_configs: jobs }))
  const flags = [
    `--config.file=${join(dir, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(dir, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const child = spawn(program!, flags, { stdio: 'ignore' })
  process.once('exit', () => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  return child
}

async function resultsOf(query: string): Promise<{ value: [number, string] }[]> {
  const answer = await fetch(`${base}/api/v1/query?query=${encodeURIComponent(query)}`).catch(() => undefined)
  // It answers 503 until it has started.
  if (!answer?.ok) return []
  const { data } = (await answer.json()) as { data?: { result: { value: [number, string] }[] } }
  // What is no number shows nothing.
  return (data?.result ?? []).filter(({ value }) => value[1] !== 'NaN')
}

/** Waits for so many scrapes more. */
async function untilScrapes(more: number) {
  const count = async () => Number((await resultsOf('count_over_time(up{job="atrium"}[1h])'))[0]?.value[1] ?? 0)
  const wanted = (await count()) + more
  await until(async () => (await count()) >= wanted, 200)
}
