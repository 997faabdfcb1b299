import pg from 'pg'
import pino from 'pino'
import { migrate } from '../src/data/setup/migrate.ts'
import { openScope } from '../src/data/tx/open-scope.ts'
import type { Scope } from '../src/data/tx/scope.ts'
import { type Database, openDatabase } from '../src/data/wire/database.ts'
import { writeCatalogue } from '../src/domains/roles/catalogue.ts'
import { loadDomains, migrationsOf } from '../src/load-domains.ts'
import { heard, planOf } from '../tools/plans.ts'
import { administer, startThrowawayServer, type ThrowawayServer } from '../tools/throwaway.ts'

/** A separate database, as the service and its owner see it. */
export interface Filled {
  owner: pg.Client
  database: Database
  tenantId: number
}
export type Read = (scope: Scope) => Promise<unknown>

/** Databases that hold what `fill` inserts, one for each; all removed after `use`. */
export async function withDatabases<T>(
  fills: ((owner: pg.Client) => Promise<number>)[],
  use: (databases: Filled[]) => Promise<T>,
): Promise<T> {
  const server = await startThrowawayServer()
  const opened: Filled[] = []
  try {
    const silent = { info() {}, warn() {}, error() {} }
    await administer(server.url('postgres'), 'create database empty')
    const { role } = await migrate(
      server.url('empty'),
      silent,
      migrationsOf(await loadDomains({ plugins: ['all'], domains: [] })),
      { andThen: writeCatalogue },
    )
    for (const [at, fill] of fills.entries()) opened.push(await open(server, { name: `filled_${at}`, role }, fill))
    return await use(opened)
  } finally {
    for (const { owner, database } of opened) {
      await database.close()
      await owner.end()
    }
    await server.stop()
  }
}

async function open(
  server: ThrowawayServer,
  { name, role }: { name: string; role: string },
  fill: (owner: pg.Client) => Promise<number>,
) {
  await administer(server.url('postgres'), `create database ${name} template empty`)
  const owner = new pg.Client({ connectionString: server.url(name) })
  await owner.connect()
  const tenantId = await fill(owner).catch(async (error) => {
    await owner.end()
    throw error
  })
  await owner.query('vacuum (analyze)')
  const database = await openDatabase({
    url: server.url(name),
    role,
    readConnections: 1,
    writeConnections: 1,
    transactionConnections: 1,
    flightTimeout: 60_000,
    log: pino({ level: 'silent' }),
  })
  return { owner, database, tenantId }
}

/** Median ms of this many reads in each database, taken in turns; the first ones warm up. */
export async function p50sOf(databases: Filled[], read: Read, rounds: number): Promise<number[]> {
  const times: number[][] = databases.map(() => [])
  for (let round = -3; round < rounds; round++)
    for (const [at, { database, tenantId }] of databases.entries()) {
      const start = performance.now()
      await read(openScope(database, tenantId))
      if (round >= 0) times[at]!.push(performance.now() - start)
    }
  return times.map(median)
}

/** The plans of all statements that a read sends, one after the other. */
export async function plansOf({ owner, database, tenantId }: Filled, read: Read): Promise<string> {
  const plans: string[] = []
  for (const call of await heard(database, tenantId, read)) plans.push(await planOf(owner, tenantId, call))
  return plans.join('\n')
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}
