import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testConfig } from '../support/config.ts'
import { buildOffline } from '../support/routes.ts'

const LIMIT_MS = 300

let app: Awaited<ReturnType<typeof buildOffline>>
beforeEach(async () => {
  app = await buildOffline(testConfig({ OVERLOAD_DELAY_MS: String(LIMIT_MS) }))
})
afterEach(() => app.close())

/** One turn of the loop that takes too long; the timers run behind it. */
async function longTurn() {
  for (const end = performance.now() + 2 * LIMIT_MS; performance.now() < end; );
  await sleep(1)
}

const ask = async (url: string) => {
  const { statusCode, headers, body } = await app.inject(url)
  return { status: statusCode, retryAfter: headers['retry-after'], type: JSON.parse(body).error?.type }
}

describe('an event loop that cannot keep up', () => {
  test('refuses requests until a turn is in time again, and always says that it lives', async () => {
    await longTurn()
    await longTurn()

    expect(await ask('/api/v1/auth/me')).toEqual({ status: 503, retryAfter: '1', type: 'UNAVAILABLE' })
    expect(await ask('/livez')).toMatchObject({ status: 200 })
    expect(app.pressure.refused).toBe(1)
    await expect.poll(() => ask('/api/v1/auth/me')).toMatchObject({ status: 401 })
  })

  test('is not one that was held up once', async () => {
    await longTurn()

    expect(await ask('/api/v1/auth/me')).toMatchObject({ status: 401 })
  })
})
