/**
 * The yardstick: the smallest hand-written server that does the works correctly, on Atrium's own tables. Token,
 * membership, tenant filter, version check, named statements, compiled serialisers; transactions await each statement,
 * as is usual. No row security, permissions, audit, idempotency, limits or log lines.
 */
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import pg from 'pg'
import { enveloped, fields, params, task, window } from './schemas.ts'
import { type StatementName, statements } from './statements.ts'

interface Caller {
  sub: string
  tenantId: number
}
declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1082, (day) => day)
pg.types.setTypeParser(1184, isoInstant)

const { PORT, DATABASE_URL, JWT_SECRET } = process.env
// Tried 4, 8, 10 and 16: no difference for reads, sixteen is best for writes.
const pool = new pg.Pool({ connectionString: DATABASE_URL!, max: 16 })
const app = Fastify()
await app.register(jwt, {
  secret: JWT_SECRET!,
  verify: { algorithms: ['HS256'], allowedIss: 'atrium', cache: 100_000 },
})

function run(on: pg.Pool | pg.PoolClient, name: StatementName, values: unknown[]) {
  return on.query({ name, text: statements[name], values })
}

interface Blog {
  Querystring: { page: number; pageSize: number }
  Headers: { 'x-tenant-code': string }
}
app.get<Blog>('/api/v1/public/blog', { schema: { querystring: window(6) } }, async (req, reply) => {
  const { page, pageSize } = req.query
  const { rows } = await run(pool, 'blog', [req.headers['x-tenant-code'], pageSize, page])
  if (!rows[0]) throw failure(404, 'no such tenant')
  return reply.type('application/json').send(`{"code":0,"message":"success","data":${rows[0].page}}`)
})

app.get('/readyz', () => pool.query('select 1').then(() => 'ok'))

await app.register(
  async (api) => {
    api.decorateRequest('caller', null as never)
    api.addHook('onRequest', (req, _reply, done) => {
      try {
        req.caller = app.jwt.verify<Caller>(req.headers.authorization!.slice('Bearer '.length))
        done()
      } catch {
        done(failure(401, 'sign in'))
      }
    })

    api.get<{ Params: { id: number }; Querystring: { page: number; pageSize: number } }>(
      '/projects/:id/tasks',
      {
        schema: {
          params,
          querystring: window(500),
          response: { 200: enveloped({ type: 'array', items: task }) },
        },
      },
      async (req, reply) => {
        const { tenantId, sub } = req.caller
        const who = [tenantId, sub, req.params.id]
        const { page, pageSize } = req.query
        const { rows } = await run(pool, 'list', [...who, pageSize, (page - 1) * pageSize])
        if (rows.length === 0 && (await run(pool, 'isMember', who)).rowCount === 0)
          throw failure(404, 'no such project')
        const total = rows[0]?.total ?? (await run(pool, 'count', [tenantId, req.params.id])).rows[0].total
        reply.header('x-total-count', total)
        return success(rows)
      },
    )

    api.get<{ Params: { id: number } }>(
      '/tasks/:id',
      { schema: { params, response: { 200: enveloped(task) } } },
      async (req) => {
        const { tenantId, sub } = req.caller
        const { rows } = await run(pool, 'find', [tenantId, sub, req.params.id])
        if (!rows[0]) throw failure(404, 'no such task')
        return success(rows[0])
      },
    )

    api.post<{ Params: { id: number }; Body: Draft }>(
      '/projects/:id/tasks',
      {
        schema: {
          params,
          body: { type: 'object', required: ['title'], properties: fields },
          response: { 201: enveloped(task) },
        },
      },
      async (req, reply) => {
        const { tenantId, sub } = req.caller
        const { title, description = null, priority = 'MEDIUM', dueDate = null } = req.body
        const who = [tenantId, sub, req.params.id]
        const created = await transaction(async (client) => {
          const project = (await run(client, 'findProject', who)).rows[0]
          if (!project) throw failure(404, 'no such project')
          if (project.status === 'ARCHIVED') throw failure(409, 'the project is archived')
          const { rows } = await run(client, 'insert', [...who, title, description, priority, dueDate])
          await run(client, 'record', [...who, rows[0].id, 0, req.id, 'TASK_CREATED', null, null, title])
          return rows[0]
        })
        reply.code(201).header('location', `/api/v1/tasks/${created.id}`)
        return success(created)
      },
    )

    api.put<{ Params: { id: number }; Body: Partial<Draft> & { version: number } }>(
      '/tasks/:id',
      {
        schema: {
          params,
          body: {
            type: 'object',
            required: ['version'],
            properties: { ...fields, version: { type: 'integer', minimum: 0 } },
          },
          response: { 200: enveloped(task) },
        },
      },
      async (req) => {
        const { tenantId, sub } = req.caller
        const { version, ...patch } = req.body
        const updated = await transaction(async (client) => {
          const before = (await run(client, 'lock', [tenantId, sub, req.params.id])).rows[0]
          if (!before) throw failure(404, 'no such task')
          if (before.status === 'DONE' || before.status === 'CANCELLED') throw failure(409, 'the task is finished')
          if (before.version !== version) throw failure(409, 'the task was changed by someone else')
          const { title, description, priority, dueDate } = { ...before, ...patch }
          const { rows } = await run(client, 'update', [tenantId, before.id, title, description, priority, dueDate])
          const what = [tenantId, sub, before.projectId, before.id, rows[0].version, req.id]
          for (const field of ['title', 'description', 'priority', 'dueDate'])
            if (before[field] !== rows[0][field])
              await run(client, 'record', [...what, 'FIELD_CHANGED', field, before[field], rows[0][field]])
          return rows[0]
        })
        return success(updated)
      },
    )
  },
  { prefix: '/api/v1' },
)

app.setErrorHandler((error: Error & { statusCode?: number }, _req, reply) => {
  const code = error.statusCode ?? 500
  if (code >= 500) app.log.error(error)
  reply.code(code).send({ code, message: error.message, data: null })
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
process.once('SIGTERM', () =>
  app
    .close()
    .then(() => pool.end())
    .then(() => process.exit(0)),
)

interface Draft {
  title: string
  description?: string | null
  priority?: string
  dueDate?: string | null
}

async function transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}

function success(data: unknown) {
  return { code: 0, message: 'success', data }
}

function failure(statusCode: number, message: string) {
  return Object.assign(new Error(message), { statusCode })
}

/** `2026-11-21 08:51:00.12+00` → `2026-11-21T08:51:00.120Z`, without a `Date` in between. */
function isoInstant(text: string): string {
  const millis = text.slice(20, -3).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`
}
