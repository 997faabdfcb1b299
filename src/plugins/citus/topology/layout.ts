import type { Call, Prepared, Row } from '#atrium'
import { FIRST_TABLE } from '../setup/cluster.ts'
import type { Shard } from './shard-of.ts'

export interface Place {
  host: string
  port: number
  /** 0 is the coordinator */
  group: number
}

export interface Layout {
  shards: Shard[]
  /** beside the coordinator */
  nodes: Place[]
  /** the number above which ids begin on a node that tenants come to now */
  after: number
}

/**
 * Rises by four million a second, more than the ids that a node draws meanwhile, and reaches 2^53 in 68 years. The two
 * seconds are for processes that have not heard of a move yet.
 */
const AFTER = `((extract(epoch from clock_timestamp()) - extract(epoch from timestamptz '2026-01-01') + 2) * ${2 ** 22})::bigint`

/**
 * Each node with the ranges of hashes that it holds of the table that all tables of tenants lie beside; a node that is
 * ready for its first one has none.
 */
const LAYOUT = `
  select s.shardminvalue::int as first, n.nodename as host, n.nodeport as port, n.groupid as "group", ${AFTER} as after
    from pg_dist_node n
    left join (pg_dist_placement p join pg_dist_shard s
                 on s.shardid = p.shardid and s.logicalrelid = 'public.${FIRST_TABLE}'::regclass) on p.groupid = n.groupid
   where n.noderole = 'primary' and (s.shardid is not null or n.shouldhaveshards and n.isactive) order by 1`

export const readLayout: Call = { prepared: { name: 'layout of the cluster', text: LAYOUT }, values: [] }

/** Where tenants are, and may be soon. */
export function layoutOf(rows: readonly Row[]): Layout {
  const found = rows as unknown as (Place & { first: number | null; after: number })[]
  const nodes = new Map<string, Place>()
  for (const { host, port, group } of found) if (group !== 0) nodes.set(nameOf({ host, port }), { host, port, group })
  const shards = found.flatMap(({ first, host, port, group }) =>
    first === null ? [] : [{ from: first, host, port, isHome: group === 0 }],
  )
  return { shards, nodes: [...nodes.values()], after: found[0]?.after ?? 0 }
}

export const nameOf = ({ host, port }: Pick<Place, 'host' | 'port'>) => `${host}:${port}`

const PREPARE: Prepared = {
  name: 'prepare a node',
  text: 'select prepare_node($1, $2), refuse_flights_without_tenant()',
  intent: 'write',
}

/**
 * Prepares a node for tenants that may have come to it: their ids rise, what they change is announced there, and what
 * another node would draw for them is refused.
 */
export function prepareNode(group: number, after: number): Call {
  return { prepared: PREPARE, values: [group, after] }
}
