import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'

const ID = /^[A-Za-z0-9._-]{1,64}$/
const EXPOSED = [
  'X-Request-Id',
  'X-Total-Count',
  'Link',
  'Location',
  'Retry-After',
  'ETag',
  'Content-Disposition',
  'RateLimit',
  'RateLimit-Policy',
]
const LOCALHOST = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/** The client's request id where it is a sane one, else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id']
  return typeof given === 'string' && ID.test(given) ? given : randomUUID()
}

/** What keeps a browser from doing anything with JSON but read it. Written by hand: @fastify/helmet is made for pages. */
export function alwaysSent(config: Config): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-site',
    'cache-control': 'no-store',
    ...(config.publicUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/** Headers that every answer carries: the request id, and the above until a route says otherwise. */
export const headers = fp<{ config: Config }>(
  async (app, { config }) => {
    const always = alwaysSent(config)
    app.addHook('onRequest', (req, reply, done) => {
      reply.headers(always)
      reply.header('x-request-id', req.id)
      done()
    })
    await app.register(cors, {
      origin: config.corsOrigins ?? LOCALHOST,
      credentials: true,
      exposedHeaders: EXPOSED,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      maxAge: 600,
      strictPreflight: false,
    })
  },
  { name: 'headers' },
)
