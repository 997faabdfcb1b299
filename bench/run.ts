import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/embedded/embedded.ts'
import { type Bench, compare } from './compare.ts'
import { feeds } from './feeds.ts'
import { fill } from './fill.ts'
import { profile } from './profile.ts'
import { SCRIPTS, type Server, type ServerName } from './servers.ts'
import { works } from './works.ts'

const USAGE = `npm run bench -- [what] [options]

  (nothing)         Atrium with everything on, beside a minimal server by hand
  audit             Atrium, beside itself without the audit row of each command
  feeds             what a page of a long feed costs, first and deepest
in turns on one throwaway PostgreSQL

  --only W1,W3      these works: W1 a page of tasks, W2 one task, W3 create, W4 update
  --rounds 5        rounds of each work, each server once in each
  --seconds 3       of each round
  --connections 64  at most as many as a project has tasks
  --tenants 200     with --projects 10 each, of --tasks 250 each
  --rows 1000000    of each feed
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
} as const
/** What is measured where nothing is said: of the audit, the commands; of feeds, a page in a breath, among few tenants. */
const USUAL = {
  atrium: { only: 'W1,W2,W3,W4', seconds: 3, tenants: 200 },
  audit: { only: 'W3,W4', seconds: 3, tenants: 200 },
  feeds: { only: '', seconds: 0.2, tenants: 10 },
}

/** Durable, but with nothing of the server's own in between the rounds. */
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

async function work(url: string, dir: string, options: Options, servers: Server[]) {
  const secret = randomBytes(32).toString('hex')
  console.log(`${options.tenants} tenants with ${options.projects} projects of ${options.tasks} tasks each`)
  const members = await fill(url, options, secret)
  const environment = { DATABASE_URL: url, JWT_SECRET: secret, LOG_LEVEL: 'warn', DATA_DIR: dir }
  if (options.what === 'feeds') return feeds({ ...options, members, environment }, servers)
  const bench: Bench = {
    ...options,
    sides: SIDES[options.what],
    members,
    works: works(members, options.connections).filter(({ name }) => options.only.includes(name)),
    environment,
    postmaster: Number.parseInt(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'latin1'), 10),
  }
  if (options.profile) await profile(bench, options.of, join(dir, 'profiles'), servers)
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
      tenants: { type: 'string' },
      rows: text(1_000_000),
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
  return {
    what,
    only: (values.only ?? usual.only).split(','),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds ?? usual.seconds),
    connections: Number(values.connections),
    tenants: Number(values.tenants ?? usual.tenants),
    projects: Number(values.projects),
    tasks: Number(values.tasks),
    rows: Number(values.rows),
    profile: values.profile,
    of: values.of as ServerName,
  }
}

await main()
