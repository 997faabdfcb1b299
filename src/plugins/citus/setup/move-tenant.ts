import type pg from 'pg'
import { SetupProblem } from '#atrium'
import { assertFit, type Cluster, connected, DECODES, FIRST_TABLE, findCluster, type Node } from './cluster.ts'

export interface Home {
  shard: number
  node: Pick<Node, 'id' | 'host' | 'port'>
  /** tenants of the same shard, which move with it */
  neighbours: number
}

/** Where the rows of a tenant are. @throws SetupProblem if nothing is distributed */
export function findHome(url: string, tenantId: number): Promise<Home> {
  return withCluster(url, (client) => homeOf(client, tenantId))
}

/**
 * Gives a tenant shards of its own, on the node where it is. Reads and writes go on; writes of the tenant wait for a
 * moment at the end, unless `wal_level` is not logical or Citus may not decode changes: then they wait until it is done.
 */
export function isolateTenant(url: string, tenantId: number): Promise<Home> {
  return withCluster(url, async (client, cluster) => {
    const { neighbours } = await homeOf(client, tenantId)
    if (neighbours === 0) throw new SetupProblem('The tenant has shards of its own already')
    await client.query(`select isolate_tenant_to_new_shard($1, $2::bigint, 'CASCADE', shard_transfer_mode => $3)`, [
      FIRST_TABLE,
      tenantId,
      await transferMode(client, cluster),
    ])
    return homeOf(client, tenantId)
  })
}

/**
 * Moves the shards of a tenant to another node, and with them the tenants that share them. Every node answers rightly
 * at each moment.
 * @param to `host:port`, as `atrium citus status` shows it
 */
export function moveTenant(url: string, tenantId: number, to: string): Promise<Home> {
  return withCluster(url, async (client, cluster) => {
    const target = cluster.nodes.find(({ host, port }) => `${host}:${port}` === to)
    if (!target) throw new SetupProblem(`There is no node ${to}; see: atrium citus status`)
    const { shard, node } = await homeOf(client, tenantId)
    if (node.id === target.id) throw new SetupProblem(`The tenant is on ${to} already`)
    await client.query('select citus_move_shard_placement($1::bigint, $2::int, $3::int, $4)', [
      shard,
      node.id,
      target.id,
      await transferMode(client, cluster),
    ])
    return homeOf(client, tenantId)
  })
}

/** Logical replication lets the tenant write while its rows are copied. */
async function transferMode(client: pg.Client, { nodes }: Cluster): Promise<'force_logical' | 'block_writes'> {
  const { rows } = await client.query<{ result: string }>('select result from run_command_on_all_nodes($1)', [
    `select current_setting('wal_level') = 'logical' and ${DECODES}`,
  ])
  return rows.length >= nodes.length && rows.every(({ result }) => result === 't') ? 'force_logical' : 'block_writes'
}

async function homeOf(client: pg.Client, tenantId: number): Promise<Home> {
  const { rows } = await client.query(
    `with shards as (select id, get_shard_id_for_distribution_column($1, id) as shard from tenants)
     select own.shard::float8 as shard, n.nodeid as id, n.nodename as host, n.nodeport as port,
            (select count(*)::int from shards other where other.shard = own.shard and other.id <> own.id) as neighbours
       from shards own join pg_dist_placement p on p.shardid = own.shard
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' where own.id = $2`,
    [FIRST_TABLE, tenantId],
  )
  const { shard, neighbours, ...node } = rows[0]
  return { shard, neighbours, node }
}

function withCluster<T>(url: string, use: (client: pg.Client, cluster: Cluster) => Promise<T>): Promise<T> {
  return connected({ connectionString: url, application_name: 'atrium-move' }, async (client) => {
    const cluster = await findCluster(client)
    assertFit(cluster)
    if (!cluster.isDistributed) throw new SetupProblem('Tenants are not on workers yet: atrium citus distribute')
    return use(client, cluster)
  })
}
