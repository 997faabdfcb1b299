import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/data/embedded.ts'
import { load, quantile } from './load.ts'
import { median } from './reads.ts'
import { cpuOf, type Server, startServer } from './servers.ts'

const USAGE = `npm run bench -- portal [options]

Public pages that are ready, beside bare Fastify routes which answer the same bytes with the same headers, in turns.
Ends with 1 when Atrium sends fewer than 0.8 of what the bare routes send.

  --rounds 7
  --seconds 2        of each round
  --connections 64
`
const PAGES = [
  '/api/v1/public/home',
  '/api/v1/public/blog',
  '/api/v1/public/blog/1',
  '/api/v1/public/blog?page=2&pageSize=3',
]
/** What Node and Fastify say by themselves. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive', 'content-length', 'x-request-id', 'transfer-encoding']
const LEAST = 0.8

async function main() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '64' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const dir = await mkdtemp(join(tmpdir(), 'atrium-portal-'))
  const postgres = await startEmbedded({ dir, durable: false, mode: 'exclusive' })
  const servers: Server[] = []
  try {
    const environment = { LOG_LEVEL: 'warn', DATABASE_URL: postgres.url(), DATA_DIR: dir }
    servers.push(await startServer('atrium', environment))
    const answers = join(dir, 'answers.json')
    await writeFile(answers, JSON.stringify(await Promise.all(PAGES.map((path) => read(servers[0]!, path)))))
    servers.push(await startServer('bare', { LOG_LEVEL: 'warn', ANSWERS: answers }))
    await compare(
      servers as [Server, Server],
      Number(values.rounds),
      Number(values.seconds),
      Number(values.connections),
    )
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
  process.exit()
}

async function read({ port }: Server, path: string) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`)
  const headers = [...answer.headers].filter(([name]) => !OWN_HEADERS.includes(name))
  // The identity of the request, which a bare route would have to make up as well.
  return { path, headers: { ...Object.fromEntries(headers), 'x-request-id': 'a-request' }, body: await answer.text() }
}

async function compare([atrium, bare]: [Server, Server], rounds: number, seconds: number, connections: number) {
  console.log(
    `${'requests/s, medians'.padEnd(40)}${['bare', 'atrium', 'ratio', 'CPU ratio', 'p99 ms', ''].map((head) => head.padStart(10)).join('')}`,
  )
  for (const path of PAGES) {
    const results: Record<'bare' | 'atrium', { rate: number; cpu: number; p99: number }>[] = []
    for (let round = -1; round < rounds; round++) {
      // Who goes first changes each time, so that a machine that grows slower favours nobody.
      const order = round % 2 === 0 ? ([bare, atrium] as const) : ([atrium, bare] as const)
      const figures: Record<string, { rate: number; cpu: number; p99: number }> = {}
      for (const server of order) figures[server.name] = await measure(server, path, seconds, connections)
      if (round >= 0) results.push(figures as (typeof results)[number])
    }
    const of = (name: 'bare' | 'atrium', figure: 'rate' | 'p99') =>
      median(results.map((result) => result[name][figure]))
    const ratio = median(results.map(({ bare, atrium }) => atrium.rate / bare.rate))
    const cpu = median(results.map(({ bare, atrium }) => atrium.cpu / bare.cpu))
    const cells = [of('bare', 'rate').toFixed(0), of('atrium', 'rate').toFixed(0), ratio.toFixed(2), cpu.toFixed(2)]
    const p99s = [of('bare', 'p99').toFixed(1), of('atrium', 'p99').toFixed(1)]
    console.log(`${path.padEnd(40)}${[...cells, ...p99s].map((cell) => cell.padStart(10)).join('')}`)
    if (ratio < LEAST) process.exitCode = 1
  }
}

async function measure({ port, pid }: Server, path: string, seconds: number, connections: number) {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n`
  const senders = Array.from({ length: connections }, () => ({ next: () => request, landed() {} }))
  const before = cpuOf(pid)
  const { requests, seconds: took, latencies } = await load(port, senders, seconds)
  return { rate: requests / took, cpu: (cpuOf(pid) - before) / requests, p99: quantile(latencies, 0.99) }
}

await main()
