import { expect, test } from 'vitest'
import { hashOf, type Shard, shardOf } from '../../topology/shard-of.ts'

test('the hash of an id is PostgreSQL’s, also beyond 32 bits', () => {
  // select hashint8(id) from unnest('{0, 1, 42, 2147483648, 4294967296, 1099511627793, 9007199254740991}'::bigint[]) id
  const ids = [0, 1, 42, 2 ** 31, 2 ** 32, 2 ** 40 + 17, 2 ** 53 - 1]
  expect(ids.map(hashOf)).toEqual([
    -272711505, -1905060026, 1509752520, -1524351049, -1905060026, 1534077636, 2016522077,
  ])
})

test('a tenant belongs to the shard whose range has its hash', () => {
  const shards: Shard[] = [-2147483648, -1905060026, -1905060025, 0, 1509752521].map((from, port) => ({
    ...{ from, port, host: 'h', isHome: false },
  }))
  const portOf = (tenant: number) => shardOf(tenant, shards)?.port
  // Of 1 it is -1905060026, the whole of a shard; of 42 it is 1509752520, the end of one.
  expect(portOf(1)).toBe(1)
  expect(portOf(42)).toBe(3)
  expect(shardOf(1, [])).toBeUndefined()
})
