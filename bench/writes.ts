import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import { fill } from './fill.ts'
import { load } from './load.ts'
import { median } from './rounds.ts'
import { cpuOf, cpuOfPostgres, type Server, startServer } from './servers.ts'
import { type Work, works } from './works.ts'

/**
 * What a command costs: CPU of Node and of PostgreSQL, WAL, and each statement that is sent, by a server by hand and by
 * Atrium, in turns on one throwaway PostgreSQL.
 *
 *   npm run bench -- writes [--only W3,W4] [--rounds 5] [--seconds 3] [--beside another/checkout] [--statements]
 */
const SETTINGS = {
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '8GB',
  shared_preload_libraries: 'pg_stat_statements',
}

const options = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: 'W3,W4' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    beside: { type: 'string' },
    statements: { type: 'boolean', default: false },
  },
}).values

interface Cost {
  rate: number
  /** µs for each command */
  node: number
  postgres: number
  /** bytes and records of WAL for each command */
  wal: number
  records: number
}

async function main() {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-writes-'))
  const postgres = await startEmbedded({ dir: directory, durable: true, mode: 'exclusive', settings: SETTINGS })
  const servers: Server[] = []
  try {
    const secret = randomBytes(32).toString('hex')
    const { members, tenantCodes } = await fill(postgres.url(), { tenants: 50, projects: 10, tasks: 250 }, secret)
    const environment = {
      DATABASE_URL: postgres.url(),
      JWT_SECRET: secret,
      LOG_LEVEL: 'info',
      DATA_DIR: directory,
      NODE_ENV: 'development',
    }
    servers.push(await startServer('hand-written', environment))
    if (options.beside) servers.push(await startServer('atrium', environment, [], resolve(options.beside)))
    servers.push(await startServer('atrium', environment))
    const postmaster = Number.parseInt(await readFile(join(directory, 'postgres', 'postmaster.pid'), 'latin1'), 10)
    const client = new pg.Client({ connectionString: postgres.url() })
    client.on('error', () => {})
    await client.connect()
    await client.query('create extension pg_stat_statements')
    await track(client, 'none')
    const all = works({ members, connections: Number(options.connections), blogPages: 0, tenantCodes })
    for (const work of all.filter(({ name }) => options.only.split(',').includes(name)))
      await compare(client, postmaster, servers, work)
    await client.end()
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
  process.exit()
}

async function compare(client: pg.Client, postmaster: number, servers: Server[], work: Work) {
  for (const { port } of servers) await load(port, work.senders, 1)
  const costs = new Map<Server, Cost[]>(servers.map((server) => [server, []]))
  for (let n = 0; n < Number(options.rounds); n++)
    for (const server of n % 2 ? [...servers].reverse() : servers)
      costs.get(server)!.push(await measure(client, postmaster, server, work))
  console.log(
    `\n${work.name} ${work.title}`.padEnd(40) +
      'commands/s  Node µs  PostgreSQL µs  WAL bytes  WAL records  Node ×  PostgreSQL ×',
  )
  /** By the one above, the median of the rounds' own ratios. */
  const ratio = (at: number, name: 'node' | 'postgres') =>
    at === 0
      ? ''
      : median(costs.get(servers[at]!)!.map((cost, n) => cost[name] / costs.get(servers[at - 1]!)![n]![name])).toFixed(
          3,
        )
  for (const [at, server] of servers.entries()) {
    const rounds = costs.get(server)!
    const figure = (name: keyof Cost) => median(rounds.map((round) => round[name])).toFixed(name === 'records' ? 2 : 0)
    console.log(
      `${at === 1 && options.beside ? 'beside' : server.name}`.padEnd(40) +
        `${figure('rate').padStart(9)} ${figure('node').padStart(9)} ${figure('postgres').padStart(14)} ${figure('wal').padStart(10)} ${figure('records').padStart(12)} ${ratio(at, 'node').padStart(7)} ${ratio(at, 'postgres').padStart(13)}`,
    )
  }
  if (options.statements) for (const server of servers) await listStatements(client, server, work)
}

async function measure(client: pg.Client, postmaster: number, server: Server, work: Work): Promise<Cost> {
  const read = async () => {
    const { rows } = await client.query(
      'select wal_bytes::float8 as wal, wal_records::float8 as records from pg_stat_wal',
    )
    return { ...rows[0], node: cpuOf(server.pid), postgres: cpuOfPostgres(postmaster) }
  }
  await sleep(1200)
  const before = await read()
  const measured = await load(server.port, work.senders, Number(options.seconds))
  await sleep(1200)
  const after = await read()
  const each = (name: string) => (after[name] - before[name]) / measured.requests
  return {
    rate: measured.requests / measured.seconds,
    node: each('node') * 1e6,
    postgres: each('postgres') * 1e6,
    wal: each('wal'),
    records: each('records'),
  }
}

/** Time as PostgreSQL counts it, in a separate round. */
async function listStatements(client: pg.Client, server: Server, work: Work) {
  await track(client, 'all')
  await client.query('select pg_stat_statements_reset()')
  const { requests } = await load(server.port, work.senders, 2)
  const { rows } = await client.query(
    `select query, calls, toplevel, total_exec_time * 1000 as us, wal_bytes::float8 as wal from pg_stat_statements
      where calls > $1 order by toplevel desc, total_exec_time desc`,
    [Math.floor(requests / 20)],
  )
  await track(client, 'none')
  console.log(`\n${work.name} ${server.name}: of each command`)
  for (const { query, calls, toplevel, us, wal } of rows)
    console.log(
      `${(calls / requests).toFixed(2).padStart(6)} × ${(us / calls).toFixed(1).padStart(6)} µs ${(wal / calls).toFixed(0).padStart(5)} B ${toplevel ? ' ' : '>'} ${query.replace(/\s+/g, ' ').slice(0, 170)}`,
    )
}

async function track(client: pg.Client, which: 'none' | 'all') {
  await client.query(`alter system set pg_stat_statements.track = '${which}'`)
  await client.query('select pg_reload_conf()')
  await sleep(500)
}

await main()
