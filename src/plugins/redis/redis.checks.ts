import { setTimeout as sleep } from 'node:timers/promises'
import { type Checks, type Config, type Finding, ok, reasonOf, warn } from '#atrium'
import { connectRedis } from './connection.ts'

export const checks: Checks = { surroundings: checkRedis }

/** Redis is optional even if it is configured: losing it costs speed. */
export async function checkRedis({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  if (redisUrl === undefined) return [ok('redis', 'none is configured; everything works without')]
  try {
    return [ok('redis', `answers in ${(await ping(redisUrl)).toFixed(1)} ms`)]
  } catch (error) {
    const what = `does not answer: ${reasonOf(error as Error)}`
    return [warn('redis', what, 'the service works without, but each replica limits sign-ins for itself')]
  }
}

const PING_MS = 2000

/** Milliseconds that Redis takes to answer on a new connection. Rejects if there is no answer within two seconds. */
async function ping(url: string): Promise<number> {
  const redis = connectRedis(url, { lazyConnect: true, commandTimeout: PING_MS })
  let reason: Error | undefined
  redis.on('error', (error) => (reason ??= error))
  async function answer() {
    await redis.connect()
    const start = performance.now()
    await redis.ping()
    return performance.now() - start
  }
  const tooLate = sleep(PING_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')))
  try {
    return await Promise.race([answer(), tooLate])
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}
