import fp from 'fastify-plugin'
import type { Build } from '../../config/build.ts'
import type { Readiness } from '../../data/setup/readiness.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether requests can be served now, and why not. */
    readiness(): Promise<Readiness>
  }
}

/**
 * `/livez` touches nothing: a probe that restarts the process must not act on a database's fault. `/readyz` is 503 when
 * requests cannot be served; it is open to everybody, so it says no more than that, and which version answers. The
 * reasons are told to operators, on the listener of the metrics.
 */
export const health = fp<{ readiness: () => Promise<Readiness>; build: Build }>(
  async (app, { readiness, build }) => {
    app.decorate('readiness', readiness)
    app.get('/livez', { schema: { hide: true } as never }, (_req, reply) =>
      reply.type('application/json').serializer(String).send('{"status":"ok"}'),
    )
    app.get('/readyz', { schema: { hide: true } as never }, async (_req, reply) => {
      const { status } = await readiness()
      const body = JSON.stringify({ status, ...build })
      return reply.code(statusOf(status)).type('application/json').serializer(String).send(body)
    })
  },
  { name: 'health' },
)

/** 200 for whatever can serve requests, if only with less. */
export function statusOf(status: Readiness['status']): 200 | 503 {
  return status === 'ok' || status === 'degraded' ? 200 : 503
}
