import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { VERSION } from '../../src/config/build.ts'
import { cloneDatabase, createDatabase, type Inspector, openInspector } from '../support/database.ts'
import { until } from '../support/patience.ts'
import { type RedisServer, redisIsHere, startRedis } from '../support/redis.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'

let databaseUrl: string
let look: Inspector
let port: number
let service: ServiceProcess
let redis: RedisServer | undefined
beforeAll(async () => {
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  port = await freePort()
  if (redisIsHere()) redis = await startRedis()
  service = await startProcess({
    ...{ databaseUrl, ...(redis && { redisUrl: redis.url }) },
    env: { METRICS_PORT: String(port), SHUTDOWN_DELAY_MS: '2000', COMMIT: 'abc' },
  })
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await redis?.stop()
  await look?.close()
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
    await service.remote.as().get('/public/home')

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
    expect(await health(service.port)).toEqual({ status: 200, body: { status: 'ok' } })
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
    expect((await ask('/readyz', service.port)).status).toBe(200)
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

describe('a port that is taken', () => {
  async function givenTakenPort() {
    const squatter = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => squatter.once('listening', resolve))
    return { taken: (squatter.address() as { port: number }).port, close: () => squatter.close() }
  }

  test('is no reason for a developer not to start', async () => {
    const { taken, close } = await givenTakenPort()
    const other = await startProcess({ databaseUrl, env: { METRICS_PORT: String(taken), LOG_LEVEL: 'warn' } })
    await other.end('SIGTERM')
    close()

    expect(other.output()).toContain('METRICS_PORT is not available; continuing without metrics')
  })

  test('stops the start in production', async () => {
    const { taken, close } = await givenTakenPort()
    const env = {
      NODE_ENV: 'production',
      METRICS_PORT: String(taken),
      ADMIN_PASSWORD: 'correct horse battery',
      CORS_ORIGINS: 'https://app.example.com',
    }

    await expect(startProcess({ databaseUrl: await createDatabase(), env })).rejects.toThrow(
      `METRICS_PORT: ${taken} is not available`,
    )
    close()
  })
})
