import type { Log } from '../../kernel/log.ts'
import { urlOfNode } from '../setup/citus/cluster.ts'
import type { Call } from '../wire/flight.ts'
import { Unavailable } from '../wire/unavailable.ts'
import { entrance } from './entrance.ts'
import { layoutOf, nameOf, type Place, readLayout } from './layout.ts'
import { type Node, openNode } from './node.ts'
import { type Send, sendInParts } from './parts.ts'
import { type Shard, shardOf } from './shard-of.ts'
import type { Limits, OpenServer, Server, Servers, Topology, Worker } from './topology.ts'
import { needsTurn, type Release, takeTurn } from './turns.ts'

export interface ClusterOptions {
  /** of the coordinator */
  url: string
  role: string
  log: Log
}

/**
 * A cluster of Citus. Each flight leaves to the node that holds the rows of its tenant, so it is planned and run there as
 * on one PostgreSQL, and a node that is away stops its own tenants alone. Sessions keep the limits.
 */
export function citus(limits: Limits, options: ClusterOptions): Topology {
  const enter = entrance()
  return {
    isPooled: false,
    session: (use) => limits[use],
    entrance: () => enter,
    open: (openServer) =>
      openNodes(openServer, { ...options, enterHome: { prepared: enter, values: [options.role, '0'] } }),
  }
}

/**
 * Any node answers rightly for any tenant, so a process that has not heard of a move yet loses a little time and nothing
 * else.
 */
const LOOK_EVERY_MS = 1000
/** A node that holds no tenants any more may still be entered by processes that have not heard of it. */
const KEPT_MS = 10_000

interface Member extends Worker {
  node: Node
  /** the connections to it, without what its flights need on a cluster */
  bare: Server
  /** what refuses its tenants while it is away */
  closed: Server
  /** when the layout named it last */
  namedAt: number
}

function openNodes(openServer: OpenServer, { url, log, enterHome }: ClusterOptions & { enterHome: Call }): Servers {
  // Tenants of several nodes in one transaction would wait for each other, and save nothing.
  const coordinator = openServer({ commitsTogether: 1 })
  const sendHome: Send = (calls) => coordinator.send(calls)
  const home = entered(coordinator, coordinator, enterHome)
  const itself = openNode({ name: 'the coordinator', group: 0, bare: coordinator, enterHome, log })
  const workers = new Map<string, Member>()
  let shards: Shard[] = []
  let isLooking = false

  async function look(): Promise<void> {
    const layout = await sendHome([enterHome, readLayout]).then(
      (results) => layoutOf(results[1]!.rows),
      () => undefined,
    )
    // What the coordinator said last is still so while it is away.
    if (!layout) return
    for (const place of layout.nodes) memberAt(place).namedAt = performance.now()
    const key = JSON.stringify([layout.shards, layout.nodes])
    const nodes = [itself, ...[...workers.values()].map(({ node }) => node)]
    await Promise.all(nodes.map((node) => node.prepare(key, layout.after)))
    shards = layout.shards
    await leave()
  }

  function memberAt(place: Place): Member {
    const name = nameOf(place)
    const known = workers.get(name)
    if (known) return known
    const bare = openServer({ url: urlOfNode(url, place) })
    bare.ready.catch(() => {})
    const node = openNode({ name, group: place.group, bare, enterHome, log })
    const member: Member = {
      name,
      bare,
      node,
      isAway: () => node.state() === 'away' || bare.stats().connections === 0,
      server: entered(bare, coordinator, enterHome),
      closed: closed(bare, name),
      namedAt: 0,
    }
    workers.set(name, member)
    return member
  }

  /** Closes the connections to nodes that hold no tenants any more, once nothing is under way there. */
  async function leave(): Promise<void> {
    for (const { name, bare, namedAt } of workers.values()) {
      const { pending, leased, waiting } = bare.stats()
      if (performance.now() - namedAt < KEPT_MS || pending + leased + waiting > 0) continue
      workers.delete(name)
      await bare.close()
    }
  }

  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    await look().catch((error) => log.warn({ err: String(error) }, 'the cluster could not be looked at'))
    isLooking = false
  }, LOOK_EVERY_MS).unref()
  return {
    home,
    ready: coordinator.ready.then(look),
    of(tenantId) {
      const shard = tenantId > 0 ? shardOf(tenantId, shards) : undefined
      const member = shard && !shard.isHome ? workers.get(nameOf(shard)) : undefined
      if (!member || member.node.state() === 'unfit') return home
      return member.isAway() ? member.closed : member.server
    },
    all: () => [home, ...[...workers.values()].map(({ server }) => server)],
    workers: () => [...workers.values()],
    async close() {
      clearInterval(timer)
      await Promise.all([coordinator.close(), ...[...workers.values()].map(({ bare }) => bare.close())])
    },
  }
}

function closed(server: Server, name: string): Server {
  const refuse = () => Promise.reject(new Unavailable(`the node ${name} is away`))
  return { ...server, send: refuse, search: refuse, acquire: refuse }
}

/** A server whose flights draw ids at home, and enter their tenants so that they can be sent on. */
function entered(server: Server, coordinator: Server, enterHome: Call): Server {
  const takesTurn = server === coordinator
  const common = { home: (calls: readonly Call[]) => coordinator.send(calls), enterHome, takesTurn }
  const takeTurnFor = async (calls: readonly Call[]) =>
    !takesTurn && calls.some(needsTurn) ? takeTurn(coordinator) : undefined
  return {
    ...server,
    async send(calls) {
      const release = await takeTurnFor(calls)
      return sendInParts(calls, { ...common, node: server.send, isComplete: true }).finally(release)
    },
    search: (calls, who) =>
      sendInParts(calls, { ...common, node: (part) => server.search(part, who), isComplete: true }),
    async acquire() {
      const lease = await server.acquire()
      const node: Send = (calls) => lease.connection.send(calls)
      let release: Release | undefined
      const send: Send = async (calls) => {
        release ??= await takeTurnFor(calls)
        return sendInParts(calls, { ...common, node, isComplete: false })
      }
      return {
        connection: Object.create(lease.connection, { send: { value: send } }),
        release(broken) {
          lease.release(broken)
          void release?.()
        },
      }
    },
  }
}
