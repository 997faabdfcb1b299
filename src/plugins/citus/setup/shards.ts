import pg from 'pg'
import { ARRIVAL_MS, IS_SOUND, openTables, strongRole } from '#atrium'
import { type Cluster, FIRST_TABLE, type Node, urlOfNode } from './cluster.ts'

/**
 * Looks for holes on the nodes of a cluster, at the shards themselves: each must force its policy, show nothing without
 * a tenant, and with one its own rows alone. A node that is away shows nothing to anyone, and does not stop the others.
 */
export async function findHolesOfShards(cluster: Cluster, url: string, role: string): Promise<string[]> {
  const misplaced = cluster.tables.filter(({ is, needs }) => is !== needs)
  const holders = cluster.nodes.filter(({ holdsShards, isActive }) => holdsShards && isActive)
  const names = cluster.tables.map(({ name }) => name)
  const ofNodes = await Promise.all(
    holders.map(async (node) =>
      (await findHolesOfNode(node, names, url, role)).map((hole) => `on ${node.host}:${node.port}: ${hole}`),
    ),
  )
  return [
    ...misplaced.map(({ name, needs }) => `table ${name} is not ${needs} yet: atrium citus distribute`),
    ...ofNodes.flat(),
  ]
}

async function findHolesOfNode(node: Node, tables: readonly string[], url: string, role: string): Promise<string[]> {
  const client = new pg.Client({
    connectionString: urlOfNode(url, node),
    application_name: 'atrium-proof',
    connectionTimeoutMillis: ARRIVAL_MS,
    query_timeout: ARRIVAL_MS,
  })
  client.on('error', () => {})
  const isThere = await client.connect().then(
    () => true,
    () => false,
  )
  if (!isThere) return []
  try {
    await client.query('begin read only')
    // A table that only the node has is a shard that Citus is making for a tenant that moves. It is one of SHARDS after it
    // has its policy, and the service is not led there before.
    const found = [...(await openTables(client, tables)), ...(await strongRole(client, role))]
    return found.length ? found : await askShards(client, role)
  } finally {
    await client.end()
  }
}

interface Shard {
  table: string
  /** quoted if it needs it */
  shard: string
  isForced: boolean
  mayRead: boolean
}

const SHARDS = `
  select s.logicalrelid::regclass::text as table, quote_ident(c.relname) as shard,
         has_table_privilege($1, c.oid, 'select') as "mayRead",
         c.relrowsecurity and c.relforcerowsecurity and coalesce(
           (select count(*) = 1 and bool_and(p.polcmd = '*' and ${IS_SOUND})
              from pg_policy p where p.polrelid = c.oid and p.polpermissive), false) as "isForced"
    from pg_dist_placement l join pg_dist_local_group g on g.groupid = l.groupid
    join pg_dist_shard s on s.shardid = l.shardid join pg_dist_partition d on d.logicalrelid = s.logicalrelid
    join pg_class c on c.oid = to_regclass(shard_name(s.logicalrelid, s.shardid))
   where d.partmethod = 'h'`

async function askShards(client: pg.Client, role: string): Promise<string[]> {
  // Citus hides shards from queries of the catalogue.
  await client.query('set local citus.override_table_visibility = off')
  const { rows: shards } = await client.query<Shard>(SHARDS, [role])
  const open = shards.filter(({ isForced }) => !isForced)
  if (open.length) return open.map(({ shard }) => `the shard ${shard} does not force exactly the one policy`)
  const readable = shards.filter(({ mayRead }) => mayRead)
  const tenant = await tenantHere(client)
  await client.query(`set local role ${client.escapeIdentifier(role)}`)
  const shown = await shownIn(client, readable, 'true')
  const holes = shown.map((table) => `rows of ${table} are visible without a tenant`)
  if (tenant === undefined || holes.length) return holes
  await client.query(`set local app.tenant_id = '${Number(tenant)}'`)
  const foreign = await shownIn(client, readable, `tenant_id <> ${Number(tenant)}`)
  const own = await shownIn(
    client,
    readable.filter(({ table }) => table === FIRST_TABLE),
    `tenant_id = ${Number(tenant)}`,
  )
  return [
    ...foreign.map((table) => `rows of other tenants are visible in ${table}`),
    ...(own.length ? [] : [`tenant ${tenant} does not see its own rows of ${FIRST_TABLE}`]),
  ]
}

/** One of the tenants whose rows lie on this node; one that is imported or erased may have none yet, or none any more. */
async function tenantHere(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>(
    `select t.id::float8 as id from tenants t
       join pg_dist_placement l on l.shardid = get_shard_id_for_distribution_column('${FIRST_TABLE}', t.id)
       join pg_dist_local_group g on g.groupid = l.groupid where t.status = 'active' order by 1 limit 1`,
  )
  return rows[0]?.id
}

/** The tables of which a shard here shows a row. One statement for each table, however many shards it has. */
async function shownIn(client: pg.Client, shards: readonly Shard[], where: string): Promise<string[]> {
  const found: string[] = []
  for (const [table, ofTable] of Map.groupBy(shards, ({ table }) => table)) {
    const each = ofTable.map(({ shard }) => `exists (select 1 from ${shard} where ${where})`)
    const { rows } = await client.query(`select ${each.join(' or ')} as seen`)
    if (rows[0].seen) found.push(table)
  }
  return found
}
