import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import type { Config } from '../../config/config.ts'
import { faults } from '../../kernel/fault.ts'
import { isPlain } from '../../util/target.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether pages of an origin may call the service. */
    allowsOrigin(origin: string): boolean
  }
}

const ID = /^[A-Za-z0-9._-]{1,64}$/
const EXPOSED = [
  'X-Request-Id',
  'X-Total-Count',
  'X-Total-Count-Exact',
  'X-Truncated',
  'Link',
  'Location',
  'Deprecation',
  'Sunset',
  'Retry-After',
  'ETag',
  'Content-Disposition',
  'RateLimit',
  'RateLimit-Policy',
]
/** With credentials, and all headers with information. */
const READABLE = {
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': EXPOSED.join(', '),
}
const LOCALHOST = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/** Drawn once for a process: random bytes for every request would take as long as its route. */
const PROCESS = randomBytes(10).toString('hex')
let count = 0

/** The client's request id if it is valid, else a new one, unique among all replicas. */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id']
  return typeof given === 'string' && ID.test(given) ? given : `${PROCESS}-${(++count).toString(36).padStart(8, '0')}`
}

/** Keeps a browser from doing anything with JSON but read it. Written by hand: @fastify/helmet is made for pages. */
export function alwaysSent(config: Config): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-site',
    'cache-control': 'no-store',
    vary: 'Origin',
    ...(config.publicUrl?.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  }
}

/**
 * Headers of every answer: the request id, the above unless a route overrides them, and for pages of allowed origins,
 * permission to read it. Preflight requests are left to @fastify/cors; run for every request it would take a tenth of
 * the time of a cached answer.
 */
export const headers = fp<{ config: Config }>(
  async (app, { config }) => {
    const always = alwaysSent(config)
    const origins = config.corsOrigins
    const isAllowed = (origin: string) => (origins ? origins.includes(origin) : LOCALHOST.test(origin))

    app.decorate('allowsOrigin', isAllowed)
    app.addHook('onRequest', (req, reply, done) => {
      const { origin } = req.headers
      reply.headers(always)
      reply.header('x-request-id', req.id)
      if (origin !== undefined && isAllowed(origin))
        reply.headers({ ...READABLE, 'access-control-allow-origin': origin })
      done(isPlain(req.raw) ? undefined : faults.badRequest())
    })
    await app.register(async (preflights) => {
      await preflights.register(cors, {
        origin: origins ?? LOCALHOST,
        credentials: true,
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        maxAge: 600,
        strictPreflight: false,
      })
    })
  },
  { name: 'headers' },
)
