import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/data/embedded.ts'
import { type Bench, compare } from './compare.ts'
import { fill } from './fill.ts'
import { profile } from './profile.ts'
import { SCRIPTS, type Server, type ServerName } from './servers.ts'
import { works } from './works.ts'

const USAGE = `npm run bench -- [options]

Atrium with everything on, beside a minimal server by hand, in turns on one throwaway PostgreSQL.

  --only W1,W3      these works: W1 a page of tasks, W2 one task, W3 create, W4 update
  --rounds 5        rounds of each work, each server once in each
  --seconds 3       of each round
  --connections 64  at most as many as a project has tasks
  --tenants 200     with --projects 10 each, of --tasks 250 each
  --profile         where a server's time goes, instead of the comparison
  --of atrium       which: atrium or hand-written
`

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
  const bench: Bench = {
    ...options,
    members,
    works: works(members, options.connections).filter(({ name }) => options.only.includes(name)),
    environment: { DATABASE_URL: url, JWT_SECRET: secret, LOG_LEVEL: 'warn', DATA_DIR: dir },
    postmaster: Number.parseInt(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'latin1'), 10),
  }
  if (options.profile) await profile(bench, options.of, join(dir, 'profiles'), servers)
  else await compare(bench, servers)
}

function readOptions() {
  const text = (fallback: string | number) => ({ type: 'string', default: String(fallback) }) as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    options: {
      only: text('W1,W2,W3,W4'),
      rounds: text(5),
      seconds: text(3),
      connections: text(64),
      tenants: text(200),
      projects: text(10),
      tasks: text(250),
      profile: flag,
      of: text('atrium'),
      help: flag,
    },
  })
  if (values.help || !(values.of in SCRIPTS)) {
    console.log(USAGE)
    process.exit(values.help ? 0 : 1)
  }
  return {
    only: values.only.split(','),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    connections: Number(values.connections),
    tenants: Number(values.tenants),
    projects: Number(values.projects),
    tasks: Number(values.tasks),
    profile: values.profile,
    of: values.of as ServerName,
  }
}

await main()
