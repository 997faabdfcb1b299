export interface Shard {
  /** the lowest hash of its range, a signed number of 32 bits */
  from: number
  host: string
  port: number
  isHome: boolean
}

/** The shard of a tenant. @param shards of all hashes, in ascending order */
export function shardOf(tenantId: number, shards: readonly Shard[]): Shard | undefined {
  const hash = hashOf(tenantId)
  let [low, high] = [0, shards.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (shards[middle]!.from <= hash) low = middle
    else high = middle - 1
  }
  return shards[low]
}

/**
 * PostgreSQL's `hashint8` of a number that is not negative, by which Citus distributes.
 * @see https://github.com/postgres/postgres/blob/REL_18_STABLE/src/common/hashfn.c
 */
export function hashOf(id: number): number {
  const key = ((id % 2 ** 32) | 0) ^ Math.floor(id / 2 ** 32)
  let a = 0x9e3779b9 + 4 + 3923095
  let b = a
  let c = a
  a = (a + key) | 0
  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  return ((c ^ b) - rotate(b, 24)) | 0
}

function rotate(bits: number, by: number): number {
  return (bits << by) | (bits >>> (32 - by))
}
