import { type Checks, type Config, type Finding, ok, reasonOf, warn } from '#atrium'
import { pingRedis } from './ping.ts'

export const checks: Checks = { surroundings: checkRedis }

/** Redis is optional even if it is configured: losing it costs speed. */
export async function checkRedis({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  if (redisUrl === undefined) return [ok('redis', 'none is configured; everything works without')]
  try {
    return [ok('redis', `answers in ${(await pingRedis(redisUrl)).toFixed(1)} ms`)]
  } catch (error) {
    const what = `does not answer: ${reasonOf(error as Error)}`
    return [warn('redis', what, 'the service works without, but each replica limits sign-ins for itself')]
  }
}
