import {
  type Call,
  type ClusterOptions,
  entrance,
  type Limits,
  type OpenServer,
  type Server,
  type Servers,
  type Topology,
  Unavailable,
  type Worker,
} from '#atrium'
import { urlOfNode } from '../setup/cluster.ts'
import { entered, following } from './entered.ts'
import { layoutOf, nameOf, type Place, prepareNode, readLayout } from './layout.ts'
import { type Node, openNode } from './node.ts'
import type { Send } from './parts.ts'
import { type Shard, shardOf } from './shard-of.ts'

/**
 * A cluster of Citus. Each flight leaves to the node that holds the rows of its tenant, so it is planned and run there as
 * on one PostgreSQL, and a node that is away stops its own tenants alone. Sessions keep the limits.
 */
export function citus(limits: Limits, options: ClusterOptions): Topology {
  const enter = entrance()
  return {
    isPooled: false,
    session: (use) => ({ ...limits[use], options: PLAN_EACH_TIME }),
    entrance: () => enter,
    open: (openServer) =>
      openNodes(openServer, { ...options, enterHome: { prepared: enter, values: [options.role, '0'] } }),
  }
}

/**
 * Citus 14 and 15 make the plan of a statement for its shard again each time, and keep all of them, if PostgreSQL keeps the
 * plan of the statement: a session grows by 20 kB each time. So PostgreSQL does not keep it, which costs no more. Step 7 of
 * docs/scaling.md names the line of Citus.
 */
const PLAN_EACH_TIME = '-c plan_cache_mode=force_custom_plan'

/** A process that has not heard of a move is refused by the old node, and looks immediately. */
const LOOK_EVERY_MS = 1000
/**
 * The first rows of a tenant may be drawn on a node that was prepared a moment after the one that holds it, which
 * therefore begins higher by the ids of a second.
 */
const AHEAD = 2 ** 22
/** A node that holds no tenants any more may still be entered by processes that have not heard of it. */
const KEPT_MS = 10_000

interface Member extends Worker {
  node: Node
  /** as the cluster numbers it */
  group: number
  /** the connections to it, without what its flights need on a cluster */
  bare: Server
  /** the same for flights that do not follow a tenant which has moved */
  entered: Server
  /** what refuses its tenants while it is away */
  closed: Server
  /** when the layout named it last */
  namedAt: number
}

function openNodes(openServer: OpenServer, { url, log, enterHome }: ClusterOptions & { enterHome: Call }): Servers {
  // Tenants of several nodes in one transaction would wait for each other, and save nothing.
  const coordinator = openServer({ commitsTogether: 1 })
  const sendHome: Send = (calls) => coordinator.send(calls)
  const homeItself = enter(coordinator, ({ isHome }) => isHome)
  const home = following(homeItself, enteredOf, lookNow)
  const itself = openNode({ name: 'the coordinator', group: 0, bare: coordinator, enterHome, log })
  const workers = new Map<string, Member>()
  let shards: Shard[] = []
  let looking: Promise<void> | undefined

  function enter(server: Server, isHere: (shard: Shard) => boolean): Server {
    const holds = (tenantId: number) => {
      const shard = shardOfTenant(tenantId)
      return shard !== undefined && isHere(shard)
    }
    return entered(server, { coordinator, enterHome, holds, look: lookNow })
  }

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
    const there = enter(bare, (shard) => nameOf(shard) === name)
    const member: Member = {
      ...{ name, bare, node, group: place.group },
      isAway: () => node.state() === 'away' || bare.stats().connections === 0,
      entered: there,
      server: following(there, enteredOf, lookNow),
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

  function lookNow(): Promise<void> {
    looking ??= look()
      .catch((error) => log.warn({ err: String(error) }, 'the cluster could not be looked at'))
      .finally(() => (looking = undefined))
    return looking
  }

  const shardOfTenant = (tenantId: number) => (tenantId > 0 ? shardOf(tenantId, shards) : undefined)

  /** The worker that holds a tenant, and can be entered if it is not away. */
  function workerOf(tenantId: number): Member | undefined {
    const shard = shardOfTenant(tenantId)
    const member = shard && !shard.isHome ? workers.get(nameOf(shard)) : undefined
    return member?.node.state() === 'unfit' ? undefined : member
  }

  function enteredOf(tenantId: number): Server {
    const member = workerOf(tenantId)
    if (!member) return homeItself
    return member.isAway() ? member.closed : member.entered
  }

  const timer = setInterval(lookNow, LOOK_EVERY_MS).unref()
  return {
    ready: coordinator.ready.then(look),
    of(tenantId) {
      const member = workerOf(tenantId)
      if (!member) return home
      return member.isAway() ? member.closed : member.server
    },
    async prepareFor(tenantId, by) {
      const holder = workerOf(tenantId)
      if (!holder || holder === workerOf(by)) return
      const layout = layoutOf((await sendHome([enterHome, readLayout]))[1]!.rows)
      await holder.bare.send([enterHome, prepareNode(holder.group, layout.after + AHEAD)])
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
