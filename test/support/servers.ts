import { administer } from '../../tools/throwaway.ts'
import { againOn } from './patience.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** superuser URL of the server's maintenance database; in a cluster, that of the coordinator */
    serverUrl: string
    /** the same of every server that holds a part of each database */
    servers: string[]
    /** a database on which no service has started yet; undefined if `create database` makes one */
    empty: string | undefined
    /** one that is migrated and bootstrapped */
    template: string
    /** URL of the server through a PgBouncer, with TEST_PGBOUNCER=1; else empty */
    poolerUrl: string
  }
}

/**
 * The superuser URL of a database on the coordinator of a Citus, with its workers added. Every database of the tests is
 * then one of that cluster, made beside it.
 */
export const TEST_CITUS = process.env.TEST_CITUS || undefined

/** Few, because each table takes time for each shard. */
const SHARDS = 4

/** Of a service on a cluster. It opens them at each node, where each takes 35 MB of memory. */
export const CONNECTIONS: Record<string, string> = TEST_CITUS
  ? { DATABASE_LINES: '2', DATABASE_WRITE_LINES: '2', DATABASE_HELD_LINES: '6' }
  : {}

/**
 * URLs of the maintenance databases of the servers that hold a part of each database: one server, or the nodes of a
 * cluster, the coordinator first.
 */
export type Servers = readonly string[]

/** The URL of a database on one of the servers. */
export const databaseOn = (server: string, name: string) =>
  Object.assign(new URL(server), { pathname: `/${name}` }).href

/** A database on a node of its cluster. */
const urlOfNode = (url: string, { host, port }: Record<string, unknown>) =>
  Object.assign(new URL(url), { hostname: host, port: String(port) }).href

/** The nodes of the cluster. */
export async function nodesOf(url: string): Promise<Servers> {
  const nodes = await administer(url, 'select nodename as host, nodeport as port from pg_dist_node order by groupid')
  return nodes.map((node) => databaseOn(urlOfNode(url, node), 'postgres'))
}

/** What the names of databases begin with that are of plain PostgreSQL, although their server is part of a cluster. */
export const PLAIN = 'plain_'

/** True for a database of the cluster; false for a plain one, and for one of a server that a test file has of its own. */
export function isOnCluster(url: string): boolean {
  const { host, pathname } = new URL(url)
  return TEST_CITUS !== undefined && host === new URL(TEST_CITUS).host && !pathname.startsWith(`/${PLAIN}`)
}

/** The URL of a database on the server that holds the rows of a tenant, as the service reaches them. */
export async function holderOf(url: string, tenantId: number): Promise<string> {
  if (!isOnCluster(url)) return url
  const [holder] = await administer(
    url,
    `select nodename as host, nodeport as port from citus_shards
      where shardid = get_shard_id_for_distribution_column('users', $1::bigint)`,
    [tenantId],
  )
  return urlOfNode(url, holder)
}

/** Does it once nobody uses the database any more: PostgreSQL itself waits 5 s for those who have to go. */
const onceUnused = (server: string, statement: string) => againOn('55006', () => administer(server, statement))

/**
 * Makes a database on all servers. A clone of one that is distributed is distributed as well: what Citus knows of tables
 * it knows by numbers, which a clone keeps, and the nodes reach each other under the name of the database. Its files are
 * copied, which costs a third of writing each page to the log.
 */
export async function createOnAll(servers: Servers, name: string, template?: string): Promise<void> {
  const one = async (server: string) => {
    await onceUnused(server, `create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`)
    if (servers.length > 1) await administer(server, settingsOf(name))
  }
  await Promise.all(servers.map(one))
}

/** A clone does not keep the settings of its template. The pool is that of a statement over many shards. */
const settingsOf = (name: string) => `
  alter database ${name} set timezone to 'UTC';
  alter database ${name} set citus.propagate_set_commands to 'local';
  alter database ${name} set citus.max_adaptive_executor_pool_size to 2;
  alter database ${name} set citus.shard_count to ${SHARDS}`

/** Nobody connects to a template, or it could not be cloned: not even what Citus runs for each database. */
export async function closeOnAll(servers: Servers, name: string): Promise<void> {
  const one = async (server: string) => {
    await administer(server, `alter database ${name} allow_connections false`)
    await administer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  }
  await Promise.all(servers.map(one))
}

/** The coordinator goes last: it still asks the workers when its own part goes. */
export async function dropOnAll(servers: Servers, name: string): Promise<void> {
  const drop = (server: string) => onceUnused(server, `drop database if exists ${name} with (force)`)
  const [coordinator, ...workers] = servers
  await Promise.all(workers.map(drop))
  await drop(coordinator!)
}

/**
 * Makes one database of a cluster out of those that have this name. Nothing is distributed yet.
 * @param way the URL at which the cluster reaches a worker
 */
export async function joinAll(
  servers: Servers,
  name: string,
  way: (worker: string) => Promise<string> = async (worker) => worker,
): Promise<void> {
  await Promise.all(servers.map((server) => administer(databaseOn(server, name), 'create extension citus')))
  const coordinator = databaseOn(servers[0]!, name)
  const place = (server: string) => `'${new URL(server).hostname}', ${new URL(server).port || 5432}`
  await administer(coordinator, `select citus_set_coordinator_host(${place(servers[0]!)})`)
  for (const worker of await Promise.all(servers.slice(1).map(way)))
    await administer(coordinator, `select citus_add_node(${place(worker)})`)
}

/** True on a cluster, for tests that make no sense there; which, and why, is reported. */
export function skippedOnCluster(tests: string, why: string): boolean {
  if (TEST_CITUS) console.warn(`SKIPPED on a cluster: ${tests}: ${why}`)
  return TEST_CITUS !== undefined
}
