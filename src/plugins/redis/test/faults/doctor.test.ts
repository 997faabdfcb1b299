import { expect, test } from 'vitest'
import { redisIsHere, startRedis } from '#test/redis.ts'
import { freePort } from '../../../../../appliance/embedded/postmaster.ts'
import { checkRedis } from '../../redis.checks.ts'

test('the doctor says that everything works where none is configured', async () => {
  expect(await checkRedis({ redisUrl: undefined })).toEqual([
    { check: 'redis', verdict: 'ok', what: 'none is configured; everything works without' },
  ])
})

test.skipIf(!redisIsHere())('the doctor asks a Redis', async () => {
  const { url } = await startRedis()
  const what = expect.stringMatching(/^answers in .* ms$/)
  // It has two seconds to answer.
  await expect.poll(() => checkRedis({ redisUrl: url })).toEqual([{ check: 'redis', verdict: 'ok', what }])
})

test.each([
  ['a server', 'redis://', /^does not answer: .*ECONNREFUSED/],
  ['a cluster', 'redis+cluster://', /^does not answer: .*Failed to refresh slots cache/],
])('%s that is away is worth knowing, and no failure', async (_, scheme, what) => {
  const redisUrl = `${scheme}127.0.0.1:${await freePort()}`
  await expect
    .poll(() => checkRedis({ redisUrl }))
    .toEqual([expect.objectContaining({ check: 'redis', verdict: 'warn', what: expect.stringMatching(what) })])
})
