import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/embedded/embedded.ts'
import { load, quantile } from './load.ts'
import { exactCpuOf, type Server, startServer } from './servers.ts'

const USAGE = `npm run bench -- portal [options]

Public pages that are ready, beside bare Fastify routes which answer the same bytes with the same headers, in turns.
By the clock, which counts on a machine of one's own, and by the processor time of the server, which others spoil less:
of both the best quarter of the rounds. Ends with 1 when Atrium sends fewer than 0.8 of what the bare routes send in a
second of processor time.

  --rounds 20
  --seconds 0.5      of each round
  --connections 32
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
      rounds: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '0.5' },
      connections: { type: 'string', default: '32' },
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

type Round = { clock: number; processor: number; p99: number }

async function compare([atrium, bare]: [Server, Server], rounds: number, seconds: number, connections: number) {
  print('', ['requests/s', '', '', 'a processor second', '', '', 'p99 ms', ''])
  print('', ['bare', 'atrium', 'ratio', 'bare', 'atrium', 'ratio', 'bare', 'atrium'])
  for (const path of PAGES) {
    const results: [bare: Round, atrium: Round][] = []
    for (let round = -2; round < rounds; round++) {
      const pair = [await measure(bare, path, seconds, connections), await measure(atrium, path, seconds, connections)]
      if (round >= 0) results.push(pair as [Round, Round])
    }
    const best = (at: 0 | 1, figure: keyof Round, share: number) =>
      quantile(new Float64Array(results.map((pair) => pair[at][figure])).sort(), share)
    const cells = (['clock', 'processor'] as const).flatMap((figure) => {
      const [byBare, byAtrium] = [best(0, figure, 0.75), best(1, figure, 0.75)]
      if (figure === 'processor' && byAtrium < LEAST * byBare) process.exitCode = 1
      return [byBare.toFixed(0), byAtrium.toFixed(0), (byAtrium / byBare).toFixed(2)]
    })
    print(path, [...cells, best(0, 'p99', 0.25).toFixed(1), best(1, 'p99', 0.25).toFixed(1)])
  }
}

function print(label: string, cells: string[]) {
  console.log(label.padEnd(38) + cells.map((cell, at) => cell.padStart(at === 3 ? 20 : 11)).join(''))
}

async function measure({ port, pid }: Server, path: string, seconds: number, connections: number): Promise<Round> {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n`
  const senders = Array.from({ length: connections }, () => ({ next: () => request, landed() {} }))
  const before = exactCpuOf(pid)
  const { requests, seconds: took, latencies } = await load(port, senders, seconds)
  return { clock: requests / took, processor: requests / (exactCpuOf(pid) - before), p99: quantile(latencies, 0.99) }
}

await main()
