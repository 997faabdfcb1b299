import pg from 'pg'
import { startProxy, type TroubledWay } from './proxy.ts'
import { isOnCluster } from './servers.ts'

/**
 * Starts a proxy to the server of a database; on a cluster, one to each node, which then finds the others through them
 * as the service does. Trouble is the same on all ways, and the connections are those to the server of the URL.
 */
export async function startWays(url: string, chance?: () => number): Promise<TroubledWay> {
  const way = await startProxy(Number(new URL(url).port), chance)
  if (!isOnCluster(url)) return way
  const others = await redirectWorkers(url, chance)
  return {
    ...way,
    cause: (trouble) => [way, ...others].forEach((each) => void each.cause(trouble)),
    close: async () => void (await Promise.all([way, ...others].map((each) => each.close()))),
  }
}

/** The addresses are changed in this database alone: each of a cluster has its own list of the nodes. */
async function redirectWorkers(url: string, chance?: () => number): Promise<TroubledWay[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query('select nodeid, nodeport from pg_dist_node where groupid > 0')
    const ways = await Promise.all(rows.map(({ nodeport }) => startProxy(nodeport, chance)))
    const cases = rows.map(({ nodeid }, at) => `when ${nodeid} then ${ways[at]!.port}`).join(' ')
    await client.query('select run_command_on_all_nodes($1)', [
      `update pg_dist_node set nodename = '127.0.0.1', nodeport = case nodeid ${cases} else nodeport end where groupid > 0`,
    ])
    return ways
  } finally {
    await client.end()
  }
}
