import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type RequestOptions, request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { hashPassword } from '../../src/domains/people/passwords.ts'
import { startThrowawayServer } from '../../tools/throwaway.ts'
import { fill, type Member } from '../fill.ts'
import { quantile } from '../load.ts'
import { rssOf, type Server, startServer } from '../servers.ts'
import { ATTACKS, type Errand } from './attacks.ts'
import { PASSWORD, PHRASE } from './phrase.ts'

const USAGE = `npm run bench -- neighbours [options]

What the reads of one tenant cost beside somebody of another, or a stranger, who takes all they can get. The service is
set up as in production, with a heap of 384 MB. p99 in ms from the moment at which each read was due.

  --only 3          one of them, by its place
  --seconds 15      of each neighbour, behind as long alone
  --tasks 50000     in each of two projects of each of the three tenants; 2500 of each attacker's are of 8 000 characters
  --articles 2000   in each tenant
`
/** What the victim requests, this many times a second, on this many connections. */
interface Work {
  perSecond: number
  connections: number
  request(member: Member, at: number): RequestOptions & { path: string; body?: string }
  /** the attacks it is measured beside; by default any */
  beside?: readonly Errand['attack'][]
}
const get = (path: string, { token }: Member) => ({ path, headers: { authorization: `Bearer ${token}` } })
const WORKS: Record<string, Work> = {
  reads: {
    perSecond: 100,
    connections: 8,
    request(member, at) {
      const { quietProjects, quietTasks } = member
      const one = `/tasks/${quietTasks[at % quietTasks.length]}`
      return get(at % 2 ? one : `/projects/${quietProjects[0]}/tasks?pageSize=20`, member)
    },
  },
  searches: {
    perSecond: 20,
    connections: 4,
    request: (member, at) => get(`/projects/${member.quietProjects[0]}/tasks?pageSize=20&keyword=task%20${at}`, member),
    beside: ['32 searches that almost match', '2 × 8 such searches by two tenants'],
  },
  /** sign-ins from new addresses, and registrations, in turns */
  newcomers: {
    perSecond: 5,
    connections: 8,
    request(member, at) {
      const tenantCode = `tenant-${member.tenant}`
      const username = at % 2 ? `newcomer-${++newcomers}` : `user-${member.user}`
      return {
        method: 'POST',
        path: at % 2 ? '/auth/register' : '/auth/login',
        body: JSON.stringify({ username, password: PASSWORD, email: 'somebody@company.example', tenantCode }),
        headers: { 'content-type': 'application/json' },
        localAddress: `127.77.${++addresses >> 8}.${addresses & 255}`,
      }
    },
    beside: ['60 sign-ins of one account with the right password', '230 sign-ins with ever new names'],
  },
}
let newcomers = 0
let addresses = 0
const RSS_EVERY_MS = 50

const text = (fallback: string) => ({ type: 'string', default: fallback }) as const
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: text('15'),
    tasks: text('50000'),
    articles: text('2000'),
    help: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
if (values.help) console.log(USAGE)
else await main()

async function main() {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-neighbours-'))
  const postgres = await startThrowawayServer()
  let server: Server | undefined
  try {
    const secret = randomBytes(32).toString('hex')
    const volume = { tenants: 3, projects: 2, tasks: Number(values.tasks), articles: Number(values.articles) }
    const { members, tenantCodes } = await fill(postgres.url('postgres'), volume, secret)
    const attackers = [2, 3].map((tenant) => members.find((member) => member.tenant === tenant)!)
    await givePasswords(postgres.url('postgres'))
    for (const { quietProjects } of attackers) await lengthen(postgres.url('postgres'), quietProjects[0]!)
    const environment = productionOf(postgres.url('postgres'), secret, folder)
    server = await startServer('atrium', environment, ['--max-old-space-size=384'])
    const victim = members.at(-1)!
    console.log(row('beside', ['alone p99', 'beside p50', 'p99', 'times', 'refused', 'RSS MiB', ''], 'what they got'))
    for (const [at, attack] of (Object.keys(ATTACKS) as Errand['attack'][]).entries())
      for (const [asks, { beside }] of Object.entries(WORKS))
        if ((!values.only || Number(values.only) === at + 1) && (beside?.includes(attack) ?? true))
          await besides(server, victim, asks, {
            attack,
            port: server.port,
            members: attackers,
            tenantCode: tenantCodes[0]!,
            seconds,
          })
  } finally {
    await server?.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Everyone gets the same one, and registration is open. */
async function givePasswords(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`update users set password_hash = $1, username = 'user-' || id`, [await hashPassword(PASSWORD)])
  await client.query(`update tenants set registration = 'open'`)
  await client.end()
}

async function lengthen(url: string, project: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query(
    `update tasks set description = repeat($1, 240)
      where project_id = $2 and id in (select id from tasks where project_id = $2 order by id desc limit 2500)`,
    [`${PHRASE}. `, project],
  )
  await client.query('vacuum (analyze) tasks')
  await client.end()
}

function productionOf(url: string, secret: string, folder: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    JWT_SECRET: secret,
    CORS_ORIGINS: 'https://app.example.com',
    ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    REGISTRATION_LIMIT: '0',
    LOG_LEVEL: 'info',
  }
}

async function besides(server: Server, victim: Member, asks: string, errand: Errand) {
  const alone = await goOn(server, victim, asks)
  const attack = new Worker(new URL('./attacks.ts', import.meta.url), { workerData: errand })
  const told = new Promise<object>((resolve) => attack.once('message', resolve))
  await sleep(500)
  const beside = await goOn(server, victim, asks)
  const outcomes = await told
  const [before, after] = [quantile(alone.latencies, 0.99), quantile(beside.latencies, 0.99)]
  const figures = [
    before.toFixed(1),
    quantile(beside.latencies, 0.5).toFixed(1),
    after.toFixed(1),
    (after / before).toFixed(1),
  ]
  const alive = server.words().includes('ended with') ? 'DEAD' : ''
  console.log(
    row(
      `${errand.attack}, felt by ${asks}`,
      [...figures, String(beside.refused), beside.rss.toFixed(0), alive],
      JSON.stringify(outcomes),
    ),
  )
  await sleep(2000)
}

/** What the victim does during one measurement, each request at its time. */
async function goOn(server: Server, victim: Member, asks: string) {
  const { perSecond, connections, request } = WORKS[asks]!
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const latencies: number[] = []
  let [refused, rss] = [0, 0]
  const watching = setInterval(() => (rss = Math.max(rss, rssOf(server.pid) || 0)), RSS_EVERY_MS)
  const start = performance.now()
  const requests = Array.from({ length: seconds * perSecond }, async (_, at) => {
    const due = start + (at * 1000) / perSecond
    await sleep(Math.max(0, due - performance.now()))
    const { path, ...rest } = request(victim, at)
    const status = await statusOf({ agent, port: server.port, path: `/api/v1${path}`, ...rest })
    if (status === 200 || status === 201) latencies.push(performance.now() - due)
    else refused++
  })
  await Promise.all(requests)
  clearInterval(watching)
  agent.destroy()
  return { latencies: new Float64Array(latencies).sort(), refused, rss }
}

/** @returns 0 if there was no answer */
function statusOf({ body, ...options }: RequestOptions & { body?: string }): Promise<number> {
  return new Promise((resolve) => {
    send({ host: '127.0.0.1', ...options }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode!)))
      .on('error', () => resolve(0))
      .end(body)
  })
}

function row(label: string, cells: string[], more: string): string {
  return `${label.padEnd(56)}${cells.map((cell) => cell.padStart(11)).join('')}   ${more}`
}
