import fp from 'fastify-plugin'
import type { Database } from '../data/database.ts'
import { knownMigrations } from '../data/migrate.ts'
import { directory } from '../data/statement.ts'
import { nowhere } from '../data/transaction.ts'

const listApplied = directory.list((from, _: object) => from('schemaMigrations').select('schemaMigrations.name'))
const REMEMBERED_MS = 500

/**
 * `/livez` touches nothing: a probe that restarts the process must not act on a database's fault. `/readyz` is 503 when
 * the database is away, migrations are behind, or the shutdown has begun. Redis is not asked: the service works without.
 */
export const health = fp<{ database: Database; stopping: () => boolean }>(
  async (app, { database, stopping }) => {
    const expected = (await knownMigrations()).map(({ name }) => name)
    let last = { ready: false, at: Number.NEGATIVE_INFINITY }

    async function isReady(): Promise<boolean> {
      if (stopping()) return false
      if (performance.now() - last.at < REMEMBERED_MS) return last.ready
      const applied = await listApplied(nowhere(database), {}).catch(() => [])
      const names = new Set(applied.map(({ name }) => name))
      last = { ready: expected.every((name) => names.has(name)), at: performance.now() }
      return last.ready
    }

    app.get('/livez', { schema: { hide: true } as never }, (_req, reply) =>
      reply.type('application/json').serializer(String).send('{"status":"ok"}'),
    )
    app.get('/readyz', { schema: { hide: true } as never }, async (_req, reply) => {
      const ready = await isReady()
      return reply
        .code(ready ? 200 : 503)
        .type('application/json')
        .serializer(String)
        .send(`{"status":"${ready ? 'ok' : 'unavailable'}"}`)
    })
  },
  { name: 'health' },
)
