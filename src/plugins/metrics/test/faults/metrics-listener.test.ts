import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { cloneDatabase, createDatabase, openInspector } from '#test/database.ts'
import { obeying } from '#test/obedient.ts'
import { SLOWNESS, until } from '#test/patience.ts'
import { redisIsHere, startRedis } from '#test/redis.ts'
import { startProcess } from '#test/service.ts'
import { freePort } from '../../../../../appliance/embedded/postmaster.ts'
import { VERSION } from '../../../../../src/config/build.ts'

/** Long enough to look at a service that stops. */
const SHUTDOWN_DELAY_MS = String(Math.min(Math.round(5000 * SLOWNESS), 60_000))

const databaseUrl = await cloneDatabase()
const look = await openInspector(databaseUrl)
const port = await freePort()
const redis = redisIsHere() ? await startRedis() : undefined
const service = await startProcess({
  ...{ databaseUrl, ...(redis && { redisUrl: redis.url }) },
  env: { METRICS_PORT: String(port), SHUTDOWN_DELAY_MS, COMMIT: 'abc' },
})

const ask = (path: string, at = port, init?: RequestInit) => fetch(`http://127.0.0.1:${at}${path}`, init)
const health = async (at = port) => {
  const answer = await ask('/readyz', at)
  return { status: answer.status, body: await answer.json() }
}
const build = { version: VERSION, commit: 'abc' }
const sound = { status: 'ok', ms: expect.any(Number) }
const others = { database: sound, isolation: sound, writes: sound }
const checks = { ...others, migrations: sound, ...(redisIsHere() && { redis: sound }) }

describe('the listener for operators', () => {
  test('tells the metrics, which the API does not', async () => {
    await obeying(() => service.remote.as().get('/public/home'))

    const scraped = await ask('/metrics')

    expect(scraped.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await scraped.text()).toMatch(
      /^http_requests_total\{method="GET",route="\/api\/v1\/public\/home",status="200"\} 1$/m,
    )
    expect((await ask('/metrics', service.port)).status).toBe(404)
    expect(await (await ask('/metrics')).text()).toContain(
      `atrium_build_info{version="${VERSION}",commit="abc",node="${process.version}"} 1`,
    )
    expect(JSON.stringify(await (await ask('/openapi.json', service.port)).json())).not.toContain('/metrics')
    expect((await ask('/nothing')).status).toBe(404)
    expect((await ask('/metrics', port, { method: 'POST' })).status).toBe(405)
  })

  test('says what readiness is made of, and the API only whether', async () => {
    await expect.poll(() => health()).toEqual({ status: 200, body: { status: 'ok', checks, ...build } })
    await expect.poll(() => health(service.port)).toEqual({ status: 200, body: { status: 'ok' } })
    expect(await (await ask('/livez')).json()).toEqual({ status: 'ok' })
  })

  test('names migrations that are behind', async () => {
    const [last] = await look.rows(
      `delete from schema_migrations where name = (select max(name) from schema_migrations) returning *`,
    )
    await expect
      .poll(() => health())
      .toMatchObject({
        status: 503,
        body: { status: 'unavailable', checks: { ...others, migrations: { status: 'behind' } } },
      })
    expect(await health(service.port)).toEqual({ status: 503, body: { status: 'unavailable' } })
    await look.rows('insert into schema_migrations (name, checksum) values ($1, $2)', [last!.name, last!.checksum])
    await expect.poll(() => health()).toMatchObject({ status: 200 })
  })

  test.skipIf(!redisIsHere())('reports a Redis that is away, which keeps nobody from serving', async () => {
    await redis!.kill()

    await expect
      .poll(() => health())
      .toMatchObject({
        status: 200,
        body: { status: 'degraded', checks: { database: sound, redis: { status: 'away' } } },
      })
    await expect.poll(() => health(service.port)).toMatchObject({ status: 200 })
    expect(await (await ask('/metrics')).text()).toMatch(/^redis_up 0$/m)
  })

  test('goes on while the service stops, and says so', async () => {
    const ending = service.end('SIGTERM')

    await until(async () =>
      expect(await health()).toEqual({ status: 503, body: { status: 'stopping', checks: {}, ...build } }),
    )
    expect((await ask('/metrics')).status).toBe(200)
    expect(await ending).toMatchObject({ code: 0 })
    await expect(ask('/livez')).rejects.toThrow()
  })
})

test('a port that is taken is no reason for a developer not to start, and stops the start in production', async () => {
  const squatter = createServer().listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const METRICS_PORT = String((squatter.address() as AddressInfo).port)

  const other = await startProcess({ databaseUrl, env: { METRICS_PORT, LOG_LEVEL: 'warn' } })
  await other.end('SIGTERM')
  expect(other.output()).toContain('METRICS_PORT is not available; continuing without metrics')

  const secrets = { ADMIN_PASSWORD: 'correct horse battery', CORS_ORIGINS: 'https://app.example.com' }
  const env = { NODE_ENV: 'production', METRICS_PORT, ...secrets }
  await expect(startProcess({ databaseUrl: await createDatabase(), env })).rejects.toThrow(
    `METRICS_PORT: ${METRICS_PORT} is not available`,
  )
  squatter.close()
})
