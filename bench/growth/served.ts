import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../../appliance/embedded/embedded.ts'
import { administer } from '../../tools/throwaway.ts'
import { type Filled, fill, type Member, type Volume } from '../fill.ts'
import { load } from '../load.ts'
import { measure, type Round } from '../rounds.ts'
import { rssOf, type Server, startServer } from '../servers.ts'
import { everyNth, type Work, works } from '../works.ts'

/** One point of a curve of the running service. */
export interface Served extends Round {
  work: string
  /** tenants, people or connections; the last with this many workers */
  of: 'tenants' | 'people' | 'connections' | 'connections of two workers'
  size: number
  /** MiB of the started process, after the round */
  rss: number
}

const TENANTS = [1, 10, 100, 1000, 5000]
const PEOPLE = [50, 500, 5000, 50_000]
const CONNECTIONS = [1, 8, 64, 256, 1024]
/** If the pace is not what is measured, it is the same for all and below every machine's limit. */
const PER_SECOND = 300
const SECONDS = 3
const OF_A_TENANT = { projects: 4, tasks: 64 }
const SETTINGS = { autovacuum: 'off', checkpoint_timeout: '1h', max_wal_size: '4GB', synchronous_commit: 'off' }

type Told = (served: Served) => void

/** The same requests at the same pace, of more and more tenants, people and connections. */
export async function growService(told: Told) {
  const dir = await mkdtemp(join(tmpdir(), 'atrium-growth-'))
  const postgres = await startEmbedded({ dir, durable: false, mode: 'exclusive', settings: SETTINGS })
  const postmaster = Number.parseInt(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'latin1'), 10)
  const secret = randomBytes(32).toString('hex')

  /** A new database with a service on it. */
  async function serving(
    name: string,
    volume: Volume,
    use: (server: Server, filled: Filled) => Promise<void>,
    workers = 1,
  ) {
    if (name !== last.name) {
      await administer(postgres.url('postgres'), `create database ${name}`)
      last = { name, filled: await fill(postgres.url(name), volume, secret) }
    }
    const environment = {
      DATABASE_URL: postgres.url(name),
      JWT_SECRET: secret,
      DATA_DIR: dir,
      WORKERS: String(workers),
    }
    const server = await startServer('atrium', environment)
    try {
      await warmUp(server, last.filled)
      await use(server, last.filled)
    } finally {
      await server.stop()
    }
  }
  let last: { name: string; filled: Filled } = { name: '', filled: { members: [], role: '', tenantCodes: [] } }

  async function point(server: Server, work: Work, of: Served['of'], size: number, perSecond: number | undefined) {
    // If it refuses because of overload, there is no point of a curve.
    const round = await measure({ postmaster, seconds: SECONDS, perSecond }, server, work).catch(() => undefined)
    if (round) told({ ...round, work: work.name, of, size, rss: rssOf(server.pid) })
  }

  try {
    for (const tenants of TENANTS)
      await serving(`tenants_${tenants}`, { ...OF_A_TENANT, tenants, articles: 6 }, async (server, filled) => {
        for (const work of worksOf(filled, filled.members, 8)) await point(server, work, 'tenants', tenants, PER_SECOND)
      })
    await serving('people', { ...OF_A_TENANT, tenants: 200, people: PEOPLE.at(-1)! }, async (server, filled) => {
      for (const people of PEOPLE) {
        const works = worksOf(filled, everyNth(filled.members, people), 8).filter(({ name }) => name < 'W4')
        // Everyone has been there before, and each connection knows the statements.
        for (const work of works) await load(server.port, work.senders, Math.max(2, people / 5000))
        for (const work of works) await point(server, work, 'people', people, PER_SECOND)
      }
    })
    for (const workers of [1, 2])
      await serving(
        'connections',
        { ...OF_A_TENANT, tenants: 200, articles: 6 },
        async (server, filled) => {
          const of = workers === 1 ? 'connections' : 'connections of two workers'
          for (const connections of CONNECTIONS)
            for (const work of worksOf(filled, filled.members, connections).filter(({ name }) => name !== 'W4'))
              await point(server, work, of, connections, undefined)
        },
        workers,
      )
  } finally {
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/** Waits until it answers: the first start on a large database has other work to do. */
async function warmUp(server: Server, filled: Filled) {
  for (let tries = 0; tries < 20; tries++) {
    // Updates depend on the last version, so they are left to the measurement.
    const reads = worksOf(filled, filled.members, 8).filter(({ name }) => name !== 'W3' && name !== 'W4')
    const failed = await Promise.all(
      reads.map(({ senders }) => load(server.port, senders, 0.5, 100).catch(() => 'failed')),
    )
    if (!failed.includes('failed')) return
    await sleep(500)
  }
}

function worksOf({ tenantCodes }: Filled, members: Member[], connections: number): Work[] {
  return works({ members, connections, blogPages: 1, tenantCodes }).filter(({ name }) => name !== 'W5c')
}
