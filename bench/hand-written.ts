/**
 * The yardstick: the smallest server by hand that does the four works correctly, on Atrium's own tables. Token,
 * membership, tenant filter, version check, named statements, compiled serialisers; transactions are awaited statement
 * by statement, as one writes them. No row security, no permissions, no audit, no idempotency, no limits.
 */
import jwt from '@fastify/jwt'
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'

pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1082, (day) => day)
pg.types.setTypeParser(1184, isoInstant)

const { PORT, DATABASE_URL, JWT_SECRET, LOG_LEVEL = 'info' } = process.env
// Tried 4, 8, 10 and 16: no difference for reads, sixteen is best for writes.
const pool = new pg.Pool({ connectionString: DATABASE_URL!, max: 16 })
const app = Fastify({ logger: { level: LOG_LEVEL } })
await app.register(jwt, { secret: JWT_SECRET!, verify: { algorithms: ['HS256'], allowedIss: 'atrium' } })

const nullableText = { type: 'string', nullable: true } as const
const task = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    projectId: { type: 'integer' },
    title: { type: 'string' },
    description: nullableText,
    assigneeId: { type: 'integer', nullable: true },
    reporterId: { type: 'integer' },
    priority: { type: 'string' },
    status: { type: 'string' },
    dueDate: nullableText,
    version: { type: 'integer' },
    createdAt: { type: 'string' },
    updatedAt: { type: 'string' },
  },
} as const
const params = { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } } as const
const fields = {
  title: { type: 'string', minLength: 1, maxLength: 255 },
  description: { ...nullableText, maxLength: 8000 },
  priority: { type: 'string', enum: ['LOW', 'MEDIUM', 'HIGH', 'URGENT'] },
  dueDate: { ...nullableText, format: 'date' },
} as const

const columns = `t.id, t.project_id as "projectId", t.title, t.description, t.assignee_id as "assigneeId",
  t.reporter_id as "reporterId", t.priority, t.status, t.due_date as "dueDate", t.version,
  t.created_at as "createdAt", t.updated_at as "updatedAt"`
const mine = `exists (select from project_members m where m.tenant_id = t.tenant_id and m.project_id = t.project_id and m.user_id = $2)`

const statements = {
  list: `select ${columns}, (select count(*) from tasks where tenant_id = $1 and project_id = $3) as total
           from tasks t where t.tenant_id = $1 and t.project_id = $3
            and exists (select from project_members where tenant_id = $1 and project_id = $3 and user_id = $2)
          order by t.id desc limit $4 offset $5`,
  isMember: 'select from project_members where tenant_id = $1 and user_id = $2 and project_id = $3',
  count: 'select count(*) as total from tasks where tenant_id = $1 and project_id = $2',
  find: `select ${columns} from tasks t where t.tenant_id = $1 and t.id = $3 and ${mine}`,
  lock: `select ${columns} from tasks t where t.tenant_id = $1 and t.id = $3 and ${mine} for update of t`,
  holdProject: `select p.status from projects p join project_members m on m.tenant_id = p.tenant_id and m.project_id = p.id
                 where p.tenant_id = $1 and m.user_id = $2 and p.id = $3 for share of p`,
  insert: `insert into tasks as t (tenant_id, reporter_id, project_id, title, description, priority, due_date, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), clock_timestamp()) returning ${columns}`,
  update: `update tasks t set title = $3, description = $4, priority = $5, due_date = $6, version = version + 1,
             updated_at = clock_timestamp() where t.tenant_id = $1 and t.id = $2 returning ${columns}`,
  record: `insert into activities (tenant_id, actor_id, project_id, task_id, version, request_id, action, field_name, old_value, new_value, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp())`,
}

function run(on: pg.Pool | pg.PoolClient, name: keyof typeof statements, values: unknown[]) {
  return on.query({ name, text: statements[name], values })
}

app.get('/readyz', () => pool.query('select 1').then(() => 'ok'))

await app.register(
  async (api) => {
    api.addHook('onRequest', async (req) => void (await req.jwtVerify()))

    api.get<{ Params: { id: number }; Querystring: { page: number; pageSize: number } }>(
      '/projects/:id/tasks',
      {
        schema: {
          params,
          querystring: {
            type: 'object',
            properties: {
              page: { type: 'integer', minimum: 1, default: 1 },
              pageSize: { type: 'integer', minimum: 1, maximum: 1000, default: 500 },
            },
          },
          response: { 200: enveloped({ type: 'array', items: task }) },
        },
      },
      async (req, reply) => {
        const { tenantId, sub } = claimsOf(req)
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
        const { tenantId, sub } = claimsOf(req)
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
        const { tenantId, sub } = claimsOf(req)
        const { title, description = null, priority = 'MEDIUM', dueDate = null } = req.body
        const who = [tenantId, sub, req.params.id]
        const created = await transaction(async (client) => {
          const project = (await run(client, 'holdProject', who)).rows[0]
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
        const { tenantId, sub } = claimsOf(req)
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

function claimsOf(req: FastifyRequest) {
  return req.user as unknown as { sub: string; tenantId: number }
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

function enveloped(data: object) {
  return { type: 'object', properties: { code: { type: 'integer' }, message: { type: 'string' }, data } }
}

function failure(statusCode: number, message: string) {
  return Object.assign(new Error(message), { statusCode })
}

/** `2026-11-21 08:51:00.12+00` → `2026-11-21T08:51:00.120Z`, without a `Date` in between. */
function isoInstant(text: string): string {
  const millis = text.slice(20, -3).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`
}
