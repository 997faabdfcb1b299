import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import { type Bench, compare } from './compare.ts'
import { fill } from './fill.ts'
import { people } from './people.ts'
import { profile } from './profile.ts'
import { SCRIPTS, type Server, type ServerName } from './servers.ts'
import { everyNth, works } from './works.ts'

const USAGE = `npm run bench -- [what] [options]

  (nothing)         Atrium with everything on, beside a minimal server by hand and the limits of the machine
  audit             Atrium, beside itself without the audit row of each command
  workers           Atrium with two workers, beside itself as one process
  people            Atrium, asked by many people now and then, beside few who ask all the time
  writes            what a command costs: CPU, WAL, each statement (--statements), beside another checkout (--beside)
in turns on one throwaway PostgreSQL; and, each with its own --help: backlog, console, deliveries, export, growth, mail,
neighbours, table, timing

  --only W1,W3      these works: W1 a page of tasks, W2 one task, W3 create, W4 update, W5 a blog page that is ready,
                    W5c one of more than are kept
  --rounds 5        rounds of each work, each server once in each
  --seconds 3       of each round
  --connections 64  at most as many as a project has tasks
  --people 50       who take turns; 50000 where people are measured
  --every 10s       each of them asks once in this time; else as often as there is an answer
  --tenants 200     with --projects 10 each, of --tasks 250 each, and --articles 90
  --profile         where a server's time goes, instead of the comparison
  --of atrium       which: atrium or hand-written
`

const SIDES = {
  atrium: [
    { name: 'hand-written', label: 'by hand' },
    { name: 'atrium', label: 'atrium' },
  ],
  audit: [
    { name: 'unaudited', label: 'without' },
    { name: 'atrium', label: 'with' },
  ],
  workers: [
    { name: 'atrium', label: 'one' },
    { name: 'two workers', label: 'two' },
  ],
} as const
/** The defaults: of the audit, the commands. */
const USUAL = {
  atrium: { only: 'W1,W2,W3,W4,W5,W5c', seconds: 3, people: 50, every: undefined },
  audit: { only: 'W3,W4', seconds: 3, people: 50, every: undefined },
  workers: { only: 'W1,W2,W3,W5', seconds: 3, people: 50, every: undefined },
  people: { only: 'W1,W2', seconds: 5, people: 50_000, every: '10s' },
}
const POSTS_ON_A_PAGE = 6

/** Durable, but without the server's own work between the rounds. */
const SETTINGS = { autovacuum: 'off', checkpoint_timeout: '1h', max_wal_size: '8GB' }

async function main() {
  const options = readOptions()
  const dir = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  const postgres = await startEmbedded({ dir, durable: true, mode: 'exclusive', settings: SETTINGS })
  const interrupted = once(process, 'SIGINT').then(() => Promise.reject(new Error('interrupted')))
  const servers: Server[] = []
  try {
    await Promise.race([work(postgres.url(), dir, options, servers), interrupted])
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
  process.exit()
}

type Options = ReturnType<typeof readOptions>

async function work(url: string, directory: string, options: Options, servers: Server[]) {
  const secret = randomBytes(32).toString('hex')
  const { what, connections, tenants, projects, tasks } = options
  console.log(`${tenants} tenants with ${projects} projects of ${tasks} tasks each, ${options.people} people`)
  const readsBlogs = options.only.some((name) => name.startsWith('W5'))
  const articles = readsBlogs ? options.articles : 0
  const { members, role, tenantCodes } = await fill(url, { ...options, articles }, secret)
  const environment = { DATABASE_URL: url, JWT_SECRET: secret, LOG_LEVEL: 'info', DATA_DIR: directory }
  const blogPages = Math.ceil(articles / POSTS_ON_A_PAGE)
  const worksOf = (most: number) =>
    works({ members: everyNth(members, most), connections, blogPages, tenantCodes }).filter(({ name }) =>
      options.only.includes(name),
    )
  const bench: Bench = {
    ...options,
    sides: SIDES[what in SIDES ? (what as keyof typeof SIDES) : 'atrium'],
    members,
    role,
    directory,
    works: worksOf(members.length),
    environment,
    postmaster: Number.parseInt(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'latin1'), 10),
  }
  if (options.profile) await profile(bench, options.of, join(directory, 'profiles'), servers)
  else if (what === 'people') await people(bench, worksOf, servers)
  else await compare(bench, servers)
}

function readOptions() {
  const text = (fallback: string | number) => ({ type: 'string', default: String(fallback) }) as const
  const flag = { type: 'boolean', default: false } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      rounds: text(5),
      seconds: { type: 'string' },
      connections: text(64),
      people: { type: 'string' },
      every: { type: 'string' },
      articles: text(90),
      tenants: text(200),
      projects: text(10),
      tasks: text(250),
      profile: flag,
      of: text('atrium'),
      help: flag,
    },
  })
  const [what = 'atrium'] = positionals as (keyof typeof USUAL)[]
  if (values.help || !(values.of in SCRIPTS) || !(what in USUAL)) {
    console.log(USAGE)
    process.exit(values.help ? 0 : 1)
  }
  const usual = USUAL[what]
  const crowd = Number(values.people ?? usual.people)
  const every = values.every ?? usual.every
  return {
    what,
    only: (values.only ?? usual.only).split(','),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds ?? usual.seconds),
    connections: Number(values.connections),
    people: crowd,
    perSecond: every === undefined ? undefined : crowd / Number.parseFloat(every),
    articles: Number(values.articles),
    tenants: Number(values.tenants),
    projects: Number(values.projects),
    tasks: Number(values.tasks),
    profile: values.profile,
    of: values.of as ServerName,
  }
}

await main()
