import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import type { Domain } from '../src/atrium/domain.ts'
import { withClient } from '../src/data/connections/with-client.ts'
import { migrate } from '../src/data/setup/migrate.ts'
import { writeCatalogue } from '../src/domains/roles/catalogue.ts'
import { loadDomains, migrationsOf } from '../src/load-domains.ts'

export interface ThrowawayServer {
  /** superuser URL of a database */
  url(database: string): string
  stop(): Promise<void>
}

/** The server is thrown away, so it needs little of its log. */
const SETTINGS = {
  ...{ max_connections: '300', max_wal_size: '96MB', min_wal_size: '32MB' },
  // Commands that wait for each other in a circle show it, before a shared connection gives one of them up after 250 ms.
  deadlock_timeout: '100ms',
  // In its folder, so that nothing is left of one that was killed.
  ...(process.platform !== 'win32' && { dynamic_shared_memory_type: 'mmap' }),
}
const NO_LIMIT = 0
const IMAGE = 'postgres:18'
const DOCKER = '/var/run/docker.sock'

/**
 * A PostgreSQL that is removed afterwards: a container if Docker has the image, else the embedded server in a temporary
 * folder. Reports if Docker answers but cannot be used.
 */
export async function startThrowawayServer(socketPath = DOCKER): Promise<ThrowawayServer> {
  const docker = await askDocker(socketPath)
  if (docker === 'has the image') {
    try {
      return await startContainer()
    } catch (error) {
      console.warn(`Docker could not start ${IMAGE} (${(error as Error).message}): the embedded PostgreSQL is used.`)
    }
  }
  if (docker === 'lacks the image')
    console.warn(`Docker has no image ${IMAGE} (docker pull ${IMAGE}): the embedded PostgreSQL is used.`)
  return startTemporary()
}

async function startTemporary(): Promise<ThrowawayServer> {
  const dir = await mkdtemp(join(tmpdir(), 'atrium-test-'))
  const server = await startEmbedded({ dir, durable: false, mode: 'exclusive', settings: SETTINGS })
  return {
    url: (database) => server.url(database),
    async stop() {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function startContainer(): Promise<ThrowawayServer> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
  const settings = Object.entries({ ...SETTINGS, fsync: 'off', timezone: 'UTC' })
  const words = ['postgres', ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const container = await new PostgreSqlContainer(IMAGE).withCommand(words).start()
  return {
    url: (database) => Object.assign(new URL(container.getConnectionUri()), { pathname: `/${database}` }).href,
    stop: async () => void (await container.stop()),
  }
}

/** Looks for the image without pulling it: a test run waits for no registry. */
function askDocker(socketPath: string): Promise<'is away' | 'lacks the image' | 'has the image'> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: `/images/${IMAGE}/json`, timeout: 2000 }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200 ? 'has the image' : 'lacks the image')
    })
    asked.once('timeout', () => asked.destroy(new Error('Docker does not answer')))
    asked.once('error', () => resolve('is away'))
    asked.end()
  })
}

/** Runs one statement on a connection of its own, such as `create database`. @returns its rows */
export async function administer<Row extends pg.QueryResultRow = any>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(
    url,
    'administration',
    async (client) => (await client.query<Row>(statement, values)).rows,
    NO_LIMIT,
  )
}

/**
 * Runs `use` with the URL of a newly migrated database, on a server that is removed afterwards.
 * @param domains by default those of the service, with all plug-ins
 */
export async function withThrowawayDatabase<T>(
  use: (url: string) => Promise<T>,
  domains?: readonly Domain[],
): Promise<T> {
  const server = await startThrowawayServer()
  try {
    await administer(server.url('postgres'), 'create database throwaway')
    const silent = { info() {}, warn() {}, error() {} }
    const sources = migrationsOf(domains ?? (await loadDomains({ plugins: ['all'], domains: [] })))
    await migrate(server.url('throwaway'), silent, sources, { andThen: writeCatalogue })
    return await use(server.url('throwaway'))
  } finally {
    await server.stop()
  }
}
