import { type Cluster, connected, DECODES, findCluster, type Node } from './cluster.ts'

export interface NodeFacts {
  /** `citus.propagate_set_commands`: the tenant of a transaction reaches other nodes only if it is `local` */
  propagate: string
  timezone: string
  preparedTransactions: number
  connections: number
  walLevel: string
  /** see DECODES */
  decodes: boolean
  citus: string
  /** whether the role of the service exists there, and may sign in */
  roleSignsIn: boolean
}

/** Every node with what it says, or why the coordinator cannot ask it. */
export type Asked = Node & ({ facts: NodeFacts } | { error: string })

/** Asks through the coordinator, so a node that this shows to be fine can be reached by the other nodes. */
export async function askNodes(url: string, role: string): Promise<{ cluster: Cluster; nodes: Asked[] } | undefined> {
  const to = { connectionString: url, application_name: 'atrium-inspection', query_timeout: 10_000 }
  return connected(to, async (client) => {
    const cluster = await findCluster(client)
    if (!cluster) return undefined
    const question = FACTS.replace('ROLE', client.escapeLiteral(role))
    const { rows } = await client.query<{ nodeid: number; success: boolean; result: string }>(
      'select nodeid, success, result from run_command_on_all_nodes($1)',
      [question],
    )
    const answers = new Map(rows.map((row) => [row.nodeid, row]))
    return { cluster, nodes: cluster.nodes.map((node) => ({ ...node, ...read(answers.get(node.id)) })) }
  })
}

function read(answer: { success: boolean; result: string } | undefined) {
  if (!answer?.success) return { error: answer?.result ?? 'it is not active' }
  return { facts: JSON.parse(answer.result) as NodeFacts }
}

const FACTS = `
  select json_build_object(
    'propagate', current_setting('citus.propagate_set_commands'), 'timezone', current_setting('timezone'),
    'preparedTransactions', current_setting('max_prepared_transactions')::int,
    'connections', current_setting('max_connections')::int, 'walLevel', current_setting('wal_level'),
    'decodes', ${DECODES},
    'citus', (select extversion from pg_extension where extname = 'citus'),
    'roleSignsIn', exists (select 1 from pg_roles where rolname = ROLE and rolcanlogin))`
