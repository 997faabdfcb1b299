import fp from 'fastify-plugin'
import { canServe, type Readiness } from '../../data/setup/readiness.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether requests can be served now, and why not. */
    readiness(): Promise<Readiness>
  }
}

/**
 * `/livez` touches nothing: a probe that restarts the process must not act on a database's fault. `/readyz` is 503 when
 * requests cannot be served; it is open to everybody, so it says no more than that. Operators read the reasons, version and
 * commit on their own listener.
 */
export const health = fp<{ readiness: () => Promise<Readiness> }>(
  async (app, { readiness }) => {
    app.decorate('readiness', readiness)
    app.get('/livez', { schema: { hide: true } as never }, (_req, reply) =>
      reply.type('application/json').serializer(String).send('{"status":"ok"}'),
    )
    app.get('/readyz', { schema: { hide: true } as never }, async (_req, reply) => {
      const found = await readiness()
      const body = JSON.stringify({ status: found.status })
      return reply
        .code(canServe(found) ? 200 : 503)
        .type('application/json')
        .serializer(String)
        .send(body)
    })
  },
  { name: 'health' },
)
