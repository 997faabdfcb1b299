import { type CommandLine, type Commands, command, FIRST_TENANT, proveIsolation, Refusal, table } from '#atrium'
import { findClusterAt, type Node } from './setup/cluster.ts'
import { findHome, type Home, isolateTenant, moveTenant } from './setup/move-tenant.ts'

export function commands(cli: CommandLine): Commands {
  return {
    tenant: { about: 'Tenants', commands: placedTenants(cli) },
    citus: { about: 'Clusters of Citus', commands: clusters(cli) },
  }
}

function clusters({ say, remark, withUrl, migrate }: CommandLine): Commands {
  const distribute = command({
    about: 'Move the tables to the workers of a cluster of Citus, all rows of a tenant to one of them',
    detail: `The database is the coordinator's, with its workers added: docs/scaling.md. Stop the service first; no service starts until
this has finished. If it is interrupted, repeat the line: it continues. Rows are counted before and after, table by table,
and finally isolation is proven on every node.`,
    run: async () => {
      await withUrl(async (url) => {
        const { role } = await migrate(url, {
          distribute: (what, done, of) => remark(`${String(done).padStart(String(of).length)} of ${of}  ${what}`),
        })
        await proveIsolation(url, role)
      })
      say('All tables are where they belong, and tenants are isolated on every node.')
    },
  })

  const status = command({
    about: 'Show the nodes of the cluster, and where each table is',
    detail: 'Exit code 1 if a table is not where it belongs.',
    run: async () => {
      const cluster = await withUrl(findClusterAt)
      if (!cluster) throw new Refusal('Citus is not on in this database.')
      const nodes = cluster.nodes.map(({ host, port, ...node }) => [`${host}:${port}`, describeNode(node)] as const)
      const tables = cluster.tables.map(
        ({ name, is, needs }) => [name, is === needs ? is : `${is}, not yet ${needs}`] as const,
      )
      say(`Citus ${cluster.version} on PostgreSQL ${cluster.postgres}\n\n${table(nodes)}\n\n${table(tables)}`)
      return cluster.isDistributed ? 0 : 1
    },
  })

  return { distribute, status }
}

function describeNode({ isCoordinator, isActive, holdsShards }: Omit<Node, 'host' | 'port'>): string {
  const what = isCoordinator ? 'coordinator' : 'worker'
  return `${what}${isActive ? '' : ', not active'}${holdsShards ? '' : ', holds no tenants'}`
}

function placedTenants({ config, say, withDatabase, actAs, tenantOf }: CommandLine): Commands {
  const isolate = command({
    about: 'In a cluster, give a tenant shards of its own',
    detail: `It stays on its node; atrium tenant move takes it to another. The service keeps running, and the tenant works on if
wal_level is logical on every node; otherwise its changes wait until it is done.`,
    operands: ['CODE'],
    run: (_, code = '') => place(code, 'tenant isolate', isolateTenant),
  })

  const move = command({
    about: 'In a cluster, move a tenant to another node, with the tenants that share its shards',
    detail: `NODE is host:port, as atrium citus status shows it. To move it alone, isolate it first. The service keeps running, and the
tenant works on if wal_level is logical on every node; otherwise its changes wait until it is done.`,
    operands: ['CODE', 'NODE'],
    run: (_, code = '', node = '') => place(code, 'tenant move', (url, id) => moveTenant(url, id, node)),
  })

  const where = command({
    about: 'In a cluster, show the node of a tenant',
    operands: ['CODE'],
    run: async (_, code = '') => {
      await withDatabase(async (database, url) => {
        const { id } = await tenantOf(database, code)
        say(describeHome(code, await findHome(config().migrationUrl ?? url, id)))
      })
    },
  })

  async function place(code: string, name: string, act: (url: string, tenantId: number) => Promise<Home>) {
    await withDatabase(async (database, url) => {
      const { id } = await tenantOf(database, code)
      const home = await act(config().migrationUrl ?? url, id)
      await actAs(database, FIRST_TENANT, name, async () => {})
      say(describeHome(code, home))
    })
  }

  return { isolate, move, where }
}

function describeHome(code: string, { node, shard, neighbours }: Home): string {
  const others = neighbours === 0 ? 'alone' : `with ${neighbours} others`
  return `${code} is on ${node.host}:${node.port}, ${others}, in the shards beside ${shard}.`
}
