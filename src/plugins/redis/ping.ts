import { setTimeout as sleep } from 'node:timers/promises'
import { connectRedis } from './connection.ts'

const PING_MS = 2000

/** Milliseconds that Redis takes to answer on a new connection. Rejects if there is no answer within two seconds. */
export async function pingRedis(url: string): Promise<number> {
  const redis = connectRedis(url, { lazyConnect: true, commandTimeout: PING_MS })
  let reason: Error | undefined
  redis.on('error', (error) => (reason ??= error))
  async function ping() {
    await redis.connect()
    const start = performance.now()
    await redis.ping()
    return performance.now() - start
  }
  const tooLate = sleep(PING_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')))
  try {
    return await Promise.race([ping(), tooLate])
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}
