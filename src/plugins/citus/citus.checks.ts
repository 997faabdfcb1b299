import { type Checks, type Finding, failed, ok, reasonOf, warn } from '#atrium'
import { type Cluster, hasBegun, type Placement, unfitness } from './setup/cluster.ts'
import { type Asked, askNodes } from './setup/nodes.ts'

export const checks: Checks = { reached: checkCluster }

/** Only in a cluster of Citus: what is distributed, and which node lacks what the service needs of it. */
async function checkCluster(url: string, role: string): Promise<Finding[]> {
  try {
    const asked = await askNodes(url, role)
    if (!asked) return []
    const { cluster, nodes } = asked
    const unfit = unfitness(cluster)
    if (unfit) return [failed('cluster', unfit.problem, unfit.advice)]
    return [judgeTables(cluster), ...(hasBegun(cluster) ? nodes.flatMap((node) => judgeNode(node, nodes, role)) : [])]
  } catch (error) {
    return [failed('cluster', reasonOf(error as Error), 'read the log of the coordinator')]
  }
}

export function judgeTables(cluster: Cluster): Finding {
  const { tables, nodes } = cluster
  const there = (placement: Placement) => tables.filter(({ is }) => is === placement).length
  if (!hasBegun(cluster))
    return warn(
      'cluster',
      `Citus ${cluster.version} is on, and every table is on the coordinator`,
      'atrium citus distribute',
    )
  const wrong = tables.filter(({ is, needs }) => is !== needs).map(({ name }) => name)
  if (wrong.length) return failed('cluster', `not where they belong: ${wrong.join(', ')}`, 'atrium citus distribute')
  const holders = nodes.filter(({ holdsShards }) => holdsShards).length
  return ok(
    'cluster',
    `Citus ${cluster.version}: ${there('distributed')} tables of tenants over ${holders} nodes, ${there('reference')} on every node`,
  )
}

/** What a node lacks, each with its cure. */
export function judgeNode(node: Asked, all: readonly Asked[], role: string): Finding[] {
  const name = `node ${node.host}:${node.port}`
  if ('error' in node)
    return [failed(name, `cannot be asked: ${node.error}`, 'its tenants get 503 until it is back; see its log')]
  const { facts, hasMetadata } = node
  const [citus] = all.flatMap((one) => (one.isCoordinator && 'facts' in one ? one.facts.citus : []))
  const lacks: [boolean, string, string][] = [
    [
      facts.propagate !== 'local',
      `citus.propagate_set_commands is ${facts.propagate}`,
      "alter database … set citus.propagate_set_commands to 'local' on this node: else other nodes do not learn the tenant of a transaction",
    ],
    [facts.timezone !== 'UTC', `timezone is ${facts.timezone}`, "alter database … set timezone to 'UTC' on this node"],
    [
      facts.preparedTransactions < facts.connections,
      `max_prepared_transactions is ${facts.preparedTransactions}`,
      `set it to max_connections (${facts.connections}): a commit on two nodes needs one`,
    ],
    [
      !facts.roleSignsIn,
      `${role} may not sign in`,
      `alter role ${role} login, and let it in from the other nodes in pg_hba.conf`,
    ],
    [facts.citus !== citus, `its Citus is ${facts.citus}, the coordinator's ${citus}`, 'alter extension citus update'],
    [
      !hasMetadata,
      'it does not know where tenants live',
      `select start_metadata_sync_to_node('${node.host}', ${node.port})`,
    ],
  ]
  const found = lacks.flatMap(([is, what, remedy]) => (is ? [failed(name, what, remedy)] : []))
  if (found.length) return found
  if (facts.walLevel !== 'logical')
    return [warn(name, `wal_level is ${facts.walLevel}`, 'set it to logical, or moving a tenant stops its writes')]
  if (!facts.decodes)
    return [
      warn(
        name,
        'output_plugin_libraries does not name citus',
        "set it to 'pgoutput, test_decoding, citus', or moving a tenant stops its writes",
      ),
    ]
  return [ok(name, node.isCoordinator ? 'coordinator' : 'worker')]
}
