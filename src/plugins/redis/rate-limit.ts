import { randomUUID } from 'node:crypto'
import type { Limit, Quota, SharedQuotas } from '#atrium'
import type { RedisConnection } from './connection.ts'

/**
 * One script: check and increment are atomic. It uses Redis' clock, so replicas need not agree on the time. `place` is
 * empty if nothing is to be counted.
 */
const SLIDE = `
local key, most, window, place = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
redis.call('ZREMRANGEBYSCORE', key, '(' .. now, '+inf')
local taken = redis.call('ZCARD', key)
local open = taken < most
if open and place ~= '' then
  redis.call('ZADD', key, now, place)
  redis.call('PEXPIRE', key, window)
  taken = taken + 1
end
local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or now
return { open and 1 or 0, most - taken, oldest + window - now }
`

type Slide = (key: string, most: number, windowMs: number, place: string) => Promise<[number, number, number]>

/** @param attempt runs a command if Redis is there, and never waits long for it */
export function sharedQuotas(
  redis: RedisConnection,
  attempt: <T>(command: () => Promise<T>) => Promise<T | undefined>,
): SharedQuotas {
  redis.defineCommand('slide', { numberOfKeys: 1, lua: SLIDE })
  const { slide } = redis as unknown as { slide: Slide }
  const keyOf = (limit: Limit, key: string) => `atrium:limit:${limit.name}:${key}`

  async function quotaOf(limit: Limit, key: string, place: string): Promise<Quota | undefined> {
    const answer = await attempt(() => slide.call(redis, keyOf(limit, key), limit.most, limit.windowMs, place))
    if (!answer) return undefined
    const [isOpen, left, movesIn] = answer
    return { isOpen: isOpen === 1, left, movesIn }
  }

  return {
    look: (limit, key) => quotaOf(limit, key, ''),
    async take(limit, key) {
      const place = randomUUID()
      const taken = await quotaOf(limit, key, place)
      return taken && { ...taken, release: () => void attempt(() => redis.zrem(keyOf(limit, key), place)) }
    },
  }
}
