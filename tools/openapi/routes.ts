import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import pino from 'pino'
import type { z } from 'zod'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import type { Coordination } from '../../src/data/coordination/coordination.ts'
import { openEventSignal, openInboxSignal } from '../../src/data/coordination/signals.ts'
import { openJobBook } from '../../src/data/jobs/job-book.ts'
import { openAnnouncements } from '../../src/data/wire/announcements.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { Unavailable } from '../../src/data/wire/unavailable.ts'
import { takesKey } from '../../src/http/request/commands.ts'
import type { Deprecated } from '../../src/http/request/deprecated.ts'
import { keysRefusedBy } from '../../src/http/request/gate.ts'
import type { Access } from '../../src/kernel/access.ts'

/** One route below /api/v1, as it was declared. */
export interface DeclaredRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** with its parameters: `/api/v1/tasks/:id` */
  url: string
  access: Access
  idempotent: boolean
  /** it takes an Idempotency-Key, required or not */
  keyed: boolean
  /** the domain that registers it */
  domain: string
  /** the keys that it refuses whatever they permit */
  closedToKeys: 'all' | 'narrowed' | undefined
  /** what its config says to the gate beside its access: `despite: change-password` */
  beside: readonly string[]
  /** it changes something with a version, which If-Match may name */
  versioned: boolean
  /** its answer is cached for the public */
  kept: boolean
  deprecated: Deprecated | undefined
  schema: Omit<FastifySchema, 'params' | 'querystring' | 'body' | 'response'> & {
    params?: z.ZodObject
    querystring?: z.ZodObject
    body?: z.ZodType
    response: Record<string, z.ZodType | Bytes>
  }
}

/** An answer without a view: its media type is declared, and the route sends it itself. */
export interface Bytes {
  description: string
  content: Record<string, { schema: z.ZodType }>
}

/** The service without a database: routes that need one answer 503. */
export async function buildOffline(config = offlineConfig(), coordination?: Coordination): Promise<FastifyInstance> {
  const away = () => Promise.reject(new Unavailable('there is no database here'))
  const logger = pino({ level: 'silent' })
  const database: Database = {
    role: 'nobody',
    log: logger,
    onCluster: false,
    nodes: () => [],
    serverOf: () => undefined,
    prepareFor: async () => {},
    awayNodes: () => [],
    sealer: undefined,
    plans: undefined,
    mailLimit: 0,
    entering: () => ({ prepared: { name: '', text: '' }, values: [] }),
    jobs: openJobBook(),
    inboxSignal: openInboxSignal(),
    eventSignal: openEventSignal(),
    announcements: openAnnouncements(),
    tally: { flights: 0, refused: 0, undelivered: 0 },
    send: away,
    search: away,
    acquire: away,
    connectAlone: away,
    inTurn: away,
    areWritesFailing: () => false,
    stats: () => ({ connections: 0, pending: 0, leased: 0, idle: 0, waiting: 0, searches: 0, searchesWaiting: 0 }),
    close: async () => {},
  }
  const app = await buildApp(config, { database, coordination, logger })
  await app.ready()
  return app
}

/** Every route below /api/v1, collected while the service is built; by path, then by method. */
export async function collectRoutes(config = offlineConfig()): Promise<DeclaredRoute[]> {
  const found: (RouteOptions & { domain: string })[] = []
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance & { domain: string } }
    fastify.addHook('onRegister', (scope, options) => {
      if ('domain' in options) Object.assign(scope, { domain: options.domain })
    })
    fastify.addHook('onRoute', function (this: FastifyInstance, route) {
      found.push(Object.assign(route, { domain: (this as typeof fastify).domain }))
    })
  }
  subscribe('fastify.initialization', listen)
  const app = await buildOffline(config)
  unsubscribe('fastify.initialization', listen)
  await app.close()
  return found
    .filter(({ url, method }) => url.startsWith('/api/v1/') && method !== 'HEAD')
    .map(({ method, url, config, schema, domain }) => ({
      domain,
      method: method as DeclaredRoute['method'],
      url,
      access: config!.access!,
      idempotent: config!.idempotent === true,
      keyed: takesKey({ method, config: config! }),
      closedToKeys: keysRefusedBy({ method, url, config }),
      beside: besideAccess(config!),
      versioned: config!.versionIn !== undefined,
      kept: config!.keeps !== undefined,
      deprecated: config!.deprecated,
      schema: schema as DeclaredRoute['schema'],
    }))
    .sort((a, b) => (`${a.url} ${a.method}` < `${b.url} ${b.method}` ? -1 : 1))
}

function besideAccess({ despite, renews, leaves, closedToKeys }: NonNullable<RouteOptions['config']>): string[] {
  return [
    ...(despite ? [`despite: ${despite}`] : []),
    ...(renews ? ['renews'] : []),
    ...(leaves ? ['leaves'] : []),
    ...(closedToKeys ? [`closedToKeys: ${closedToKeys}`] : []),
  ]
}

/**
 * The configuration of a service that only describes itself.
 * @param chosen the variables that say which domains it has
 */
export function offlineConfig(chosen: { PLUGINS?: string; DOMAINS?: string } = process.env): Config {
  const environment = {
    NODE_ENV: 'test',
    PLUGINS: chosen.PLUGINS,
    DOMAINS: chosen.DOMAINS,
    // A busy machine is not an overload of the service.
    OVERLOAD_DELAY_MS: '0',
    LOG_LEVEL: 'silent',
    DATA_DIR: join(tmpdir(), 'atrium-offline'),
  }
  return readConfig(environment, () => 'nothing is signed here')
}
