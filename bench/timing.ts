import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import { fill, type Member } from './fill.ts'
import { median } from './reads.ts'
import { type Server, startServer } from './servers.ts'
import { timed } from './timed.ts'

const USAGE = `npm run bench -- timing [options]

Whether the time of a refusal tells that another tenant has what one asks for: ids of others and ids of nothing, in
turns, one request at a time on one connection. Ends with 1 when the medians differ by 5 % and by 0.05 ms or more.

  --pairs 2000   for each route
`
const MOST_SHARE = 0.05
const LEAST_MS = 0.05

/** What is requested of an id, and of which kind it is. */
const QUESTIONS: [method: string, path: (id: number) => string, kind: 'task' | 'project', body?: object][] = [
  ['GET', (id) => `/tasks/${id}`, 'task'],
  ['GET', (id) => `/tasks/${id}/comments`, 'task'],
  ['PUT', (id) => `/tasks/${id}`, 'task', { version: 0, title: 'Mine' }],
  ['GET', (id) => `/projects/${id}`, 'project'],
  ['GET', (id) => `/projects/${id}/tasks`, 'project'],
  ['POST', (id) => `/projects/${id}/tasks`, 'project', { title: 'Mine' }],
]

async function main() {
  const { values } = parseArgs({
    options: { pairs: { type: 'string', default: '2000' }, help: { type: 'boolean', default: false } },
  })
  if (values.help) return console.log(USAGE)
  const dir = await mkdtemp(join(tmpdir(), 'atrium-timing-'))
  const postgres = await startEmbedded({ dir, durable: false, mode: 'exclusive', settings: { autovacuum: 'off' } })
  let server: Server | undefined
  try {
    const secret = randomBytes(32).toString('hex')
    const { members } = await fill(postgres.url(), { tenants: 20, projects: 10, tasks: 100 }, secret)
    const gaps = await makeGaps(postgres.url())
    server = await startServer('atrium', {
      DATABASE_URL: postgres.url(),
      JWT_SECRET: secret,
      LOG_LEVEL: 'warn',
      DATA_DIR: dir,
    })
    await ask(server, members[0]!, members.at(-1)!, gaps, Number(values.pairs))
  } finally {
    await server?.stop()
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
  process.exit()
}

type Ids = Record<'task' | 'project', number[]>

/** Removes every seventh task and project, so that unused ids lie among the others and not after them. */
async function makeGaps(url: string): Promise<Ids> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query('delete from project_members where project_id % 7 = 0')
    const idsOf = async (sql: string) => (await client.query(sql)).rows.map(({ id }) => id)
    const task = await idsOf('delete from tasks where id % 7 = 0 or project_id % 7 = 0 returning id::int')
    const project = await idsOf('delete from projects where id % 7 = 0 returning id::int')
    await client.query('vacuum (analyze)')
    return { task, project }
  } finally {
    await client.end()
  }
}

async function ask(server: Server, asking: Member, other: Member, gaps: Ids, pairs: number) {
  const isThere = (kind: keyof Ids, ids: number[]) => ids.filter((id) => !gaps[kind].includes(id))
  const foreign: Ids = {
    task: isThere('task', [...other.quietTasks, ...other.busyTasks]),
    project: isThere('project', [...other.quietProjects, ...other.busyProjects]),
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  console.log(
    `${pairs} pairs, medians in ms`.padEnd(34) +
      ['of others', 'of nothing', 'difference'].map((head) => head.padStart(14)).join(''),
  )
  for (const [method, path, kind, body] of QUESTIONS) {
    const times: [number[], number[]] = [[], []]
    for (let n = -200; n < pairs; n++) {
      const ids = [
        foreign[kind][Math.abs(n) % foreign[kind].length]!,
        gaps[kind][Math.abs(n * 31) % gaps[kind].length]!,
      ]
      // The order alternates.
      for (const which of n % 2 ? [0, 1] : [1, 0]) {
        const question = { method, path: `/api/v1${path(ids[which]!)}`, token: asking.token, body }
        const ms = await timed(agent, server.port, question, 404)
        if (n >= 0) times[which]!.push(ms)
      }
    }
    const [others, nothing] = times.map(median) as [number, number]
    const share = others / nothing - 1
    const cells = [others.toFixed(3), nothing.toFixed(3), `${(100 * share).toFixed(1)} %`]
    console.log(
      `${method} ${path(0).replace('/0', '/:id')}`.padEnd(34) + cells.map((cell) => cell.padStart(14)).join(''),
    )
    if (Math.abs(share) >= MOST_SHARE && Math.abs(others - nothing) >= LEAST_MS) process.exitCode = 1
  }
}

await main()
