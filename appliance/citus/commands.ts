import { command, type Group, Refusal } from '../../src/atrium/command-line.ts'
import { catalogue } from '../../src/atrium/ports/serving.ts'
import { findClusterAt } from '../../src/data/setup/citus/cluster.ts'
import { proveIsolation } from '../../src/data/setup/isolation/prove-isolation.ts'
import { migrate } from '../../src/data/setup/migrate.ts'
import { table } from '../cli/command.ts'
import { remark, say } from '../cli/terminal.ts'
import { configOf, log, migrationSources, withUrl } from '../cli/workplace.ts'

const distribute = command({
  about: 'Move the tables to the workers of a cluster of Citus, all rows of a tenant to one of them',
  detail: `The database is the coordinator's, with its workers added: docs/scaling.md. Stop the service first; no service starts until
this has finished. If it is interrupted, repeat the line: it continues. Rows are counted before and after, table by table,
and finally isolation is proven on every node.`,
  run: async () => {
    const config = configOf(process.env)
    const sources = await migrationSources(config)
    await withUrl(config, async (url) => {
      const { role } = await migrate(config.migrationUrl ?? url, log, sources, {
        andThen: catalogue.get(),
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
    const cluster = await withUrl(configOf(process.env), findClusterAt)
    if (!cluster) throw new Refusal('Citus is not on in this database.')
    const nodes = cluster.nodes.map(({ host, port, ...node }) => [`${host}:${port}`, describe(node)] as const)
    const tables = cluster.tables.map(
      ({ name, is, needs }) => [name, is === needs ? is : `${is}, not yet ${needs}`] as const,
    )
    say(`Citus ${cluster.version} on PostgreSQL ${cluster.postgres}\n\n${table(nodes)}\n\n${table(tables)}`)
    return cluster.isDistributed ? 0 : 1
  },
})

function describe({
  isCoordinator,
  isActive,
  holdsShards,
}: {
  isCoordinator: boolean
  isActive: boolean
  holdsShards: boolean
}) {
  const what = isCoordinator ? 'coordinator' : 'worker'
  return `${what}${isActive ? '' : ', not active'}${holdsShards ? '' : ', holds no tenants'}`
}

export const citus: Group = { about: 'Clusters of Citus', commands: { distribute, status } }
