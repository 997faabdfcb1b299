import { type Finding, ok, warn } from '../../src/atrium/finding.ts'
import { pingRedis } from '../../src/data/redis/coordination.ts'
import { reasonOf } from '../../src/util/reason-of.ts'

/** Redis is optional even if it is configured: losing it costs speed. */
export async function checkRedis(url: string | undefined): Promise<Finding> {
  if (url === undefined) return ok('redis', 'none is configured; everything works without')
  try {
    return ok('redis', `answers in ${(await pingRedis(url)).toFixed(1)} ms`)
  } catch (error) {
    const what = `does not answer: ${reasonOf(error as Error)}`
    return warn('redis', what, 'the service works without, but each replica limits sign-ins for itself')
  }
}
