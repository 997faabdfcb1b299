import { domain, openCoordination } from '#atrium'

export default domain({
  name: 'redis',
  about: 'What replicas on several machines share: limits, live notifications and news of changes, over Redis',
  provides: [
    openCoordination.by(async ({ redisUrl }, log) => {
      if (!redisUrl) return undefined
      const { openRedis } = await import('./coordination.ts')
      return openRedis(redisUrl, log)
    }),
  ],
  checks: () => import('./redis.checks.ts'),
})
