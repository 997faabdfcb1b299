import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { formOf } from '../support/form.ts'
import { report } from '../support/invariants.ts'
import { until } from '../support/patience.ts'
import { openRemote } from '../support/remote.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { foundCompanies, latencies, startWorkload, tally, type Workload } from '../support/workload.ts'

/** SOAK_MINUTES=10 for a run that tells a leak of memory from noise; the short one tells that handles come back. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 0)
const SAMPLES = 40
const CLIENTS = 8
/** How often a visitor does their story in the short run: each that left a handle behind would show. */
const TURNS = 12
/** Connections to the database are opened when they are needed, and stay. */
const FEW = {
  DATABASE_LINES: '1',
  DATABASE_WRITE_LINES: '1',
  DATABASE_HELD_LINES: '2',
  DATABASE_SEARCH_CONNECTIONS: '1',
}
const MORE_HANDLES = 10

let service: ServiceProcess | undefined
let workload: Workload | undefined

test('a service that has worked for a while holds no more memory and no more handles than before', async () => {
  const env = { NODE_OPTIONS: '--inspect=127.0.0.1:0', CONTACT_LIMIT: '0', ...FEW }
  service = await startProcess({ databaseUrl: await cloneDatabase(), env })
  const heap = await openHeap(/ws:\S+/.exec(service.output())![0])
  const handles = () => readdirSync(`/proc/${service!.pid}/fd`).length
  const before = handles()
  const remote = openRemote(service.port)
  const companies = await foundCompanies(remote)
  const restMs = MINUTES > 0 ? 0 : 30
  workload = startWorkload(() => remote, companies, { clients: CLIENTS, reads: 0.6, projects: 0.02, restMs })
  let isOver = MINUTES === 0
  const visitors = [visit, comeAndGo, bringFiles, hangUp].map((story) => repeat(story, () => isOver))

  const samples: Sample[] = []
  const sample = async () => {
    samples.push({ minute: performance.now() / 60_000, heap: await heap.used() })
  }
  while (MINUTES > 0 && samples.length < SAMPLES) {
    await sleep((MINUTES * 60_000) / SAMPLES)
    await sample()
  }
  isOver = true
  await Promise.all(visitors)
  await workload.stop()
  remote.close()

  expect({ foreign: workload.foreign, malformed: workload.malformed }).toEqual({ foreign: [], malformed: [] })
  await until(() => expect(handles()).toBeLessThanOrEqual(before + MORE_HANDLES))
  await sample()
  heap.close()
  if (MINUTES === 0) return

  // What a process learns in its first minutes, code that is compiled and caches that fill, is no leak.
  const settled = samples.slice(SAMPLES / 2)
  const figures = {
    outcomes: tally(workload.history),
    latencyMs: latencies(workload.history),
    heapMiB: [samples[0]!, settled[0]!, settled.at(-1)!].map((sample) => sample.heap.toFixed(1)),
    heapMiBAnHour: (slopeOf(settled) * 60).toFixed(1),
  }
  report(`${MINUTES} minutes of mixed load`, [], figures)
  if (MINUTES >= 5) expect(slopeOf(settled) * MINUTES, JSON.stringify(figures)).toBeLessThan(2)
})

interface Sample {
  minute: number
  /** MiB in use after a collection */
  heap: number
}

/** The rise in a minute, by least squares. */
function slopeOf(samples: Sample[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ minute }) => minute)), mean(samples.map((sample) => sample.heap))]
  const covariance = mean(samples.map((sample) => (sample.minute - x) * (sample.heap - y)))
  return covariance / mean(samples.map(({ minute }) => (minute - x) ** 2))
}

/** The heap of a process, over the protocol of Node's inspector. */
async function openHeap(address: string) {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('the inspector does not answer'))
  })
  const waiting = new Map<number, (result: any) => void>()
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(data)
    waiting.get(id)?.(result)
    waiting.delete(id)
  }
  let sequence = 0
  const ask = (method: string) =>
    new Promise<any>((resolve) => {
      waiting.set(++sequence, resolve)
      socket.send(JSON.stringify({ id: sequence, method }))
    })
  return {
    async used(): Promise<number> {
      await ask('HeapProfiler.collectGarbage')
      return (await ask('Runtime.getHeapUsage')).usedSize / 1_048_576
    },
    close: () => socket.close(),
  }
}

async function repeat(story: () => Promise<unknown>, isOver: () => boolean) {
  for (let turn = 0; turn < TURNS || !isOver(); turn++) await story()
}

const address = (path: string) => `http://127.0.0.1:${service!.port}/api/v1${path}`
let visits = 0

/** Reads the portal, at times what it has, and at times what nobody keeps; leaves a word. */
async function visit() {
  const number = ++visits
  for (const path of [
    '/public/home',
    '/public/blog',
    `/public/blog?keyword=word-${number}`,
    '/public/pricing',
    '/nowhere',
  ])
    await (await fetch(address(path), { headers: { 'if-none-match': '"x"' } })).arrayBuffer()
  const body = JSON.stringify({ email: 'visitor@example.com', message: `visit ${number}` })
  const headers = { 'content-type': 'application/json' }
  await (await fetch(address('/public/contact'), { method: 'POST', headers, body })).arrayBuffer()
}

/** Signs in, goes on with a new pair, and out again; and once more with a wrong password. */
async function comeAndGo() {
  const anyone = service!.remote.as()
  const account = { username: 'admin', password: 'admin123' }
  const { data } = await anyone.post('/auth/login', account)
  const { data: next } = await anyone.post('/auth/refresh', { refreshToken: data?.refreshToken ?? 'none' })
  await service!.remote.as(next?.accessToken ?? 'none').post('/auth/logout')
  await anyone.post('/auth/login', { ...account, password: 'wrong' })
}

/** Brings a file, reads it and takes it away. */
async function bringFiles() {
  const { token } = workload!.companies[0]!.people[0]!
  const authorization = `Bearer ${token}`
  const { payload, headers } = formOf([{ filename: 'note.txt', content: 'x'.repeat(200_000) }])
  const sent = await fetch(address('/files'), {
    method: 'POST',
    headers: { ...headers, authorization },
    body: payload as never,
  })
  const { data } = (await sent.json()) as any
  if (!data) return
  await (await fetch(address(`/files/${data.key}`), { headers: { authorization } })).arrayBuffer()
  await (await fetch(address(`/files/${data.key}`), { method: 'DELETE', headers: { authorization } })).arrayBuffer()
}

/** Leaves before the answer, or during an upload. */
async function hangUp() {
  const { token } = workload!.companies[0]!.people[0]!
  const headers = { authorization: `Bearer ${token}` }
  await fetch(address('/projects'), { headers, signal: AbortSignal.timeout(1) }).catch(() => undefined)
  const body = new ReadableStream({
    async pull(stream) {
      await sleep(3)
      stream.enqueue(new Uint8Array(10_000))
    },
  })
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  const upload = {
    method: 'POST',
    headers: { ...headers, ...type },
    body,
    duplex: 'half',
    signal: AbortSignal.timeout(15),
  }
  await fetch(address('/files'), upload as never).catch(() => undefined)
}
