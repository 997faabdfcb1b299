import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import { rssOf, type Server, startServer } from './servers.ts'

const USAGE = `node bench/uploads.ts [options]

How much memory many large uploads and downloads at once take: the service's resident memory, sampled all the while.

  --connections 64
  --megabytes 10      of each file
  --rounds 5          of one upload and one download on each connection, after one to warm up
`
const SAMPLE_MS = 20
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const BOUNDARY = 'a-boundary-of-the-bench'

async function main() {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '64' },
      megabytes: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '5' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const [connections, megabytes, rounds] = [values.connections, values.megabytes, values.rounds].map(Number) as [
    number,
    number,
    number,
  ]
  const dir = await mkdtemp(join(tmpdir(), 'atrium-uploads-'))
  const postgres = await startEmbedded({ dir, durable: true, mode: 'exclusive' })
  let server: Server | undefined
  try {
    const size = megabytes * 1_048_576
    const env = { DATABASE_URL: postgres.url(), DATA_DIR: dir, LOG_LEVEL: 'warn', FILE_MAX_SIZE_BYTES: String(size) }
    server = await startServer('atrium', env)
    const client = await signIn(server, connections)
    console.log(`${connections} connections, ${megabytes} MiB each; resident memory of the service in MiB`)
    await row('at rest', server.pid, 0, async () => {})
    for (let round = 0; round <= rounds; round++) {
      let urls: string[] = []
      const label = round === 0 ? 'warm-up' : `round ${round}`
      const moved = connections * megabytes
      await row(`${label}, uploads`, server.pid, moved, async () => {
        urls = await Promise.all(Array.from({ length: connections }, () => client.upload(size)))
      })
      await row(`${label}, downloads`, server.pid, moved, () => Promise.all(urls.map((url) => client.download(url))))
      await Promise.all(urls.map((url) => client.remove(url)))
    }
  } finally {
    await server?.stop()
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
  process.exit()
}

async function row(label: string, pid: number, megabytes: number, work: () => Promise<unknown>) {
  let most = 0
  const sampling = setInterval(() => {
    most = Math.max(most, rssOf(pid))
  }, SAMPLE_MS)
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  await new Promise((resolve) => setTimeout(resolve, 100))
  clearInterval(sampling)
  const speed = megabytes ? `${(megabytes / seconds).toFixed(0).padStart(6)} MiB/s` : ''
  console.log(
    `  ${label.padEnd(22)} most ${most.toFixed(0).padStart(5)}  after ${rssOf(pid).toFixed(0).padStart(5)} ${speed}`,
  )
}

async function signIn({ port }: Server, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const login = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'admin123' }),
  })
  const authorization = `Bearer ${((await login.json()) as any).data.accessToken}`

  /** Sends and reads in pieces, so that this process does not distort the measurement. */
  function ask(method: string, path: string, headers: object, body: Iterable<Buffer> = []): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const options = { agent, host: '127.0.0.1', port, method, path, headers: { authorization, ...headers } }
      const asking = request(options, (answer) => {
        const kept: Buffer[] = []
        answer.on('data', (chunk) => {
          if (kept.length < 4) kept.push(chunk)
        })
        answer.on('end', () =>
          answer.statusCode! < 300 ? resolve(Buffer.concat(kept)) : reject(new Error(`${method} ${answer.statusCode}`)),
        )
      })
      asking.on('error', reject)
      void send(asking, body)
    })
  }

  return {
    async upload(size: number): Promise<string> {
      const head = Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`,
      )
      const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
      const headers = {
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': head.length + size + tail.length,
      }
      const answer = await ask('POST', '/api/v1/files', headers, [head, ...pieces(size), tail])
      return JSON.parse(answer.toString()).data.url
    },
    download: (url: string) => ask('GET', url, {}),
    remove: (url: string) => ask('DELETE', url, {}),
  }
}

const PIECE = Buffer.alloc(65_536, 7)

function pieces(size: number): Buffer[] {
  const rest = size - PNG.length
  return [
    PNG,
    ...Array.from({ length: Math.floor(rest / PIECE.length) }, () => PIECE),
    PIECE.subarray(0, rest % PIECE.length),
  ]
}

async function send(asking: ReturnType<typeof request>, body: Iterable<Buffer>) {
  for (const chunk of body)
    if (!asking.write(chunk)) await new Promise<void>((resolve) => asking.once('drain', () => resolve()))
  asking.end()
}

await main()
