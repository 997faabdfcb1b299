import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import pino from 'pino'
import type { z } from 'zod'
import { buildApp } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import type { Database } from '../../src/data/database.ts'
import type { Coordination } from '../../src/data/redis.ts'
import { Unavailable } from '../../src/data/unavailable.ts'
import type { Access } from '../../src/kernel/access.ts'
import { testConfig } from './config.ts'

/** One route of the live service, as it was declared. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** below /api/v1, with its parameters: `/tasks/:id` */
  path: string
  access: Access
  idempotent: boolean
  summary: string
  params: string[]
  schema: { params?: z.ZodObject; querystring?: z.ZodObject; body?: z.ZodType; response: Record<string, z.ZodType> }
}

/** The service without a database: whatever needs one answers 503. */
export async function buildOffline(
  config: Config = testConfig(),
  coordination?: Coordination,
): Promise<FastifyInstance> {
  const away = () => Promise.reject(new Unavailable('this test has no database'))
  const logger = pino({ level: 'silent' })
  const database: Database = {
    role: 'nobody',
    log: logger,
    tally: { flights: 0, refused: 0, undelivered: 0 },
    fly: away,
    hold: away,
    stats: () => ({ lines: 0, inTheAir: 0, held: 0, idle: 0, waiting: 0 }),
    close: async () => {},
  }
  const app = await buildApp(config, { database, coordination, logger })
  await app.ready()
  return app
}

/** Every route below /api/v1, read off the service while it is built. */
export async function listRoutes(): Promise<Route[]> {
  const found: RouteOptions[] = []
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => void found.push(route))
  subscribe('fastify.initialization', listen)
  const app = await buildOffline()
  unsubscribe('fastify.initialization', listen)
  await app.close()
  return found
    .filter((route) => route.url.startsWith('/api/v1/') && route.method !== 'HEAD')
    .map(describeRoute)
    .sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1))
}

function describeRoute({ method, url, config, schema }: RouteOptions): Route {
  return {
    method: method as Route['method'],
    path: url.replace('/api/v1', ''),
    access: config!.access!,
    idempotent: config!.idempotent === true,
    summary: schema!.summary!,
    params: [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    schema: schema as Route['schema'],
  }
}
