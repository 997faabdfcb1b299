import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { testConfig } from '../support/config.ts'
import { buildOffline } from '../support/routes.ts'

const LIMIT_MS = 300
const LOOK_EVERY_MS = 100

let app: Awaited<ReturnType<typeof buildOffline>>
let now = 0
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  app = await buildOffline(testConfig({ OVERLOAD_DELAY_MS: String(LIMIT_MS) }))
})
afterEach(async () => {
  await app.close()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** The timer that looks at the clock runs so many ms late. */
function turn(late: number) {
  now += LOOK_EVERY_MS + late
  vi.advanceTimersByTime(LOOK_EVERY_MS)
}

const ask = async (url: string) => {
  const { statusCode, headers, body } = await app.inject(url)
  return { status: statusCode, retryAfter: headers['retry-after'], type: JSON.parse(body).error?.type }
}

describe('an event loop that cannot keep up', () => {
  test('refuses requests until a turn is in time again, and always says that it lives', async () => {
    turn(LIMIT_MS + 1)
    turn(LIMIT_MS + 1)

    expect(await ask('/api/v1/auth/me')).toEqual({ status: 503, retryAfter: '1', type: 'UNAVAILABLE' })
    expect(await ask('/livez')).toMatchObject({ status: 200 })
    expect(app.pressure.refused).toBe(1)
    turn(LIMIT_MS)
    expect(await ask('/api/v1/auth/me')).toMatchObject({ status: 401 })
  })

  test('is not one that was held up once', async () => {
    turn(LIMIT_MS + 1)

    expect(await ask('/api/v1/auth/me')).toMatchObject({ status: 401 })
  })
})
