import pg from 'pg'
import { SetupProblem } from '#atrium'

const OLDEST_POSTGRES = 18
const OLDEST_CITUS = 14

/** Where the rows of a table live: with their tenant, on every node, or on the coordinator alone. */
export type Placement = 'distributed' | 'reference' | 'coordinator'

/**
 * Not distributed: the first two are asked only by what migrates, and of the last one each node has its own, so that a
 * change is announced in the transaction that makes it, whichever other node is away.
 */
const OF_COORDINATOR = new Set(['schema_migrations', 'keys_to_add', 'invalidations'])

/** The one place that decides it, for tables of domains from outside as well. */
export function placementOf({ name, ofTenants }: { name: string; ofTenants: boolean }): Placement {
  if (OF_COORDINATOR.has(name)) return 'coordinator'
  return ofTenants ? 'distributed' : 'reference'
}

/** All distributed tables lie beside this one: every other table of a tenant refers to a tenant of this kind. */
export const FIRST_TABLE = 'organizations'

/**
 * SQL: whether PostgreSQL lets Citus decode changes, so that a tenant writes while its rows are copied. From 18.6 on,
 * `output_plugin_libraries` has to name it.
 */
export const DECODES = `coalesce(current_setting('output_plugin_libraries', true) ~ '\\mcitus\\M', true)`

export interface Node {
  id: number
  host: string
  port: number
  isCoordinator: boolean
  isActive: boolean
  /** whether it knows where each tenant lives, so that it can be asked for any of them */
  hasMetadata: boolean
  holdsShards: boolean
}

/** A database on which Citus is on, as its coordinator describes it. */
export interface Cluster {
  /** `14.0` */
  version: string
  postgres: number
  nodes: Node[]
  tables: { name: string; needs: Placement; is: Placement }[]
  /** whether tenants are on the workers: all tables that need it are distributed */
  isDistributed: boolean
}

/** @returns undefined if the database is one of plain PostgreSQL */
export async function findCluster(client: pg.ClientBase): Promise<Cluster | undefined> {
  const { rows: extensions } = await client.query<{ version: string; postgres: number }>(
    `select extversion as version, current_setting('server_version_num')::int / 10000 as postgres
       from pg_extension where extname = 'citus'`,
  )
  if (!extensions[0]) return undefined
  const { rows: nodes } = await client.query<Node>(NODES)
  const { rows } = await client.query<{ name: string; ofTenants: boolean; is: Placement }>(TABLES)
  const tables = rows.map(({ is, ...table }) => ({ name: table.name, needs: placementOf(table), is }))
  const isDistributed = tables.length > 0 && tables.every(({ needs, is }) => needs === is)
  return { ...extensions[0], version: majorOf(extensions[0].version), nodes, tables, isDistributed }
}

/** `14.0-1` is the version of the scripts of 14.0. */
const majorOf = (version: string) => version.replace(/-.*/, '')

const NODES = `
  select nodeid as id, nodename as host, nodeport as port, groupid = 0 as "isCoordinator", isactive as "isActive",
         hasmetadata and metadatasynced as "hasMetadata", shouldhaveshards as "holdsShards"
    from pg_dist_node where noderole = 'primary' order by groupid`

const TABLES = `
  select c.relname::text as name,
         exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as "ofTenants",
         case p.partmethod when 'h' then 'distributed' when 'n' then 'reference' else 'coordinator' end as is
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`

/** Tables that are already on the workers: then every new one must follow. */
export function hasBegun({ tables }: Cluster): boolean {
  return tables.some(({ is }) => is !== 'coordinator')
}

/** What keeps tenants from being put on workers, with its cure; undefined if nothing does. */
export function unfitness({
  postgres,
  version,
  nodes,
}: Pick<Cluster, 'postgres' | 'version' | 'nodes'>): { problem: string; advice: string } | undefined {
  if (postgres < OLDEST_POSTGRES || Number.parseInt(version, 10) < OLDEST_CITUS)
    return {
      problem: `Citus ${version} on PostgreSQL ${postgres} is too old`,
      advice: `PostgreSQL ${OLDEST_POSTGRES} and Citus ${OLDEST_CITUS} or newer are needed`,
    }
  if (!nodes.some(({ isCoordinator }) => isCoordinator))
    return {
      problem: 'the workers do not know the coordinator',
      advice: `select citus_set_coordinator_host('HOST', PORT)`,
    }
  if (!nodes.some(({ holdsShards, isActive }) => holdsShards && isActive))
    return { problem: 'no node holds tenants', advice: `select citus_add_node('HOST', PORT) for each worker` }
  return undefined
}

/** @throws SetupProblem */
export function assertFit(cluster: Cluster | undefined): asserts cluster is Cluster {
  if (!cluster)
    throw new SetupProblem('Citus is not on in this database. As a superuser, on every node: create extension citus')
  const found = unfitness(cluster)
  if (found) throw new SetupProblem(`Tenants cannot be distributed: ${found.problem}. ${found.advice}`)
}

/** @returns undefined if the database at the URL is one of plain PostgreSQL */
export function findClusterAt(url: string): Promise<Cluster | undefined> {
  return connected({ connectionString: url, application_name: 'atrium-inspection' }, findCluster)
}

/** Runs `use` with a connection of its own. */
export async function connected<T>(to: pg.ClientConfig, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(to)
  client.on('error', () => {})
  await client.connect()
  return use(client).finally(() => client.end())
}

/** The database on a node of its cluster: the same credentials, options and name, on another server. */
export function urlOfNode(url: string, { host, port }: Pick<Node, 'host' | 'port'>): string {
  return Object.assign(new URL(url), { hostname: host, port: String(port) }).href
}
