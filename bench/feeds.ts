import pg from 'pg'
import type { Member } from './fill.ts'
import { load, quantile, type Sender } from './load.ts'
import { type Server, startServer } from './servers.ts'

/** One growing list, for a person who reads it. */
interface Feed {
  title: string
  table: string
  /** rows of a page, by default */
  page: number
  /** its address; `short` holds one page, `long` all the rows */
  path(of: Owner): string
  /** inserts rows 1 to $1 of the owner's feed */
  fill(of: Owner): string
}

interface Owner {
  token: string
  tenant: number
  user: number
  project: number
  task: number
}

const FEEDS: Feed[] = [
  {
    title: 'audit operations',
    table: 'audit_operations',
    page: 200,
    path: () => '/api/v1/audit/operations',
    fill: ({ tenant, user }) => `
      insert into audit_operations (tenant_id, request_id, user_id, username, method, path, route, status, duration, ip, user_agent, created_at)
      select ${tenant}, md5(n::text), ${user} + n % 500, 'user-' || n % 500,
             case when n <= 20 then 'DELETE' when n % 3 = 0 then 'POST' else 'PUT' end, '/api/v1/tasks/' || n % 100000, '/api/v1/tasks/:id',
             case when n % 5000 = 1 then 403 when n % 200 = 0 then 409 else 200 end, n % 50, '10.0.0.1', 'Mozilla/5.0 (X11; Linux x86_64)',
             now() - interval '400 days' + n * interval '30 seconds'
        from generate_series(1, $1::int) n`,
  },
  {
    title: 'notifications',
    table: 'notifications',
    page: 500,
    path: () => '/api/v1/notifications',
    fill: ({ tenant, user }) => `
      insert into notifications (tenant_id, receiver_id, event_id, type, title, content, read_at, created_at)
      select ${tenant}, ${user}, n, 'TASK_COMMENTED', 'New comment on a task', 'What it says', case when n % 1000 > 0 then now() end, now()
        from generate_series(1, $1::int) n`,
  },
  {
    title: 'activities of a task',
    table: 'activities',
    page: 500,
    path: ({ task }) => `/api/v1/tasks/${task}/activities`,
    fill: ({ tenant, user, project, task }) => `
      insert into activities (tenant_id, project_id, task_id, actor_id, action, field_name, old_value, new_value, version, request_id, created_at)
      select ${tenant}, ${project}, ${task}, ${user}, 'FIELD_CHANGED', 'title', 'Before', 'After', n, md5(n::text), now()
        from generate_series(1, $1::int) n`,
  },
  {
    title: 'activities of a project',
    table: 'activities',
    page: 500,
    path: ({ project }) => `/api/v1/projects/${project}/activities`,
    fill: ({ tenant, user, project }) => `
      insert into activities (tenant_id, project_id, actor_id, action, new_value, version, request_id, created_at)
      select ${tenant}, ${project}, ${user}, 'PROJECT_UPDATED', 'A name', n, md5(n::text), now()
        from generate_series(1, $1::int) n`,
  },
  {
    title: 'comments of a task',
    table: 'task_comments',
    page: 500,
    path: ({ task }) => `/api/v1/tasks/${task}/comments`,
    fill: ({ tenant, user, task }) => `
      insert into task_comments (tenant_id, task_id, author_id, content, created_at)
      select ${tenant}, ${task}, ${user}, 'A few words about it, number ' || n, now() from generate_series(1, $1::int) n`,
  },
]

/** Searches of the audit: an index serves the first ones, the last ones examine 100 000 rows at most. */
const SEARCHES: [title: string, query: (at: (n: number) => string) => string][] = [
  ['by person', () => 'userId=USER'],
  ['by refusal', () => 'status=403'],
  ['a day in the middle', (at) => `from=${at(0.5)}&to=${at(0.504)}`],
  ['the oldest day', (at) => `to=${at(0.003)}`],
  ['the newest day', (at) => `from=${at(0.997)}`],
  ['a frequent method', () => 'method=POST'],
  ['a rare method', () => 'method=DELETE'],
  ['a rare path', () => 'path=/api/v1/tasks/777'],
  ['a path that is not there', () => 'path=/api/v1/nowhere'],
]

interface Volume {
  members: Member[]
  /** of each feed of one tenant */
  rows: number
  rounds: number
  /** of each figure in each round */
  seconds: number
  environment: Record<string, string>
}

/**
 * What a page of a feed costs, in ms (p50): while it is short and its table empty, the same when another tenant's rows
 * have made the table long, and the first and the deepest page of the long one; then the same with a total.
 */
export async function feeds({ members, rows, rounds, seconds, environment }: Volume, servers: Server[]): Promise<void> {
  const client = new pg.Client({ connectionString: environment.DATABASE_URL! })
  await client.connect()
  const [short, long] = [await ownerOf(client, members[0]!), await ownerOf(client, members.at(-1)!)]
  await client.query('set session_replication_role = replica')
  await client.query('truncate audit_operations, notifications, activities, task_comments')
  for (const feed of FEEDS) await client.query(feed.fill(short), [feed.page])
  await client.query('vacuum (analyze)')
  const server = await startServer('atrium', environment)
  servers.push(server)

  /** In turns, so that a busy moment of the machine affects all of them; the medians of the rounds. */
  async function p50(...asked: [Owner, string][]): Promise<string[]> {
    const figures: number[][] = asked.map(() => [])
    for (let n = 0; n < rounds; n++)
      for (const [at, [owner, path]] of asked.entries()) {
        const { latencies } = await load(server.port, [senderOf(owner.token, path)], seconds)
        figures[at]!.push(quantile(latencies, 0.5))
      }
    return figures.map((each) => quantile(new Float64Array(each).sort(), 0.5).toFixed(2))
  }
  const alone = new Map<Feed, string>()
  for (const feed of FEEDS) alone.set(feed, (await p50([short, feed.path(short)]))[0]!)

  console.log(`filling each feed of one tenant with ${rows} rows`)
  for (const feed of FEEDS) await client.query(feed.fill(long), [rows])
  await client.query('vacuum (analyze)')
  await client.query('checkpoint')

  const columns = ['a short feed', 'beside others', 'first page', 'deepest', '+ total, first', '+ total, deep']
  console.log(`\n${row('p50 in ms', columns)}`)
  for (const feed of FEEDS) {
    const deep = await deepest(client, feed, long)
    const path = feed.path(long)
    const figures = await p50(
      [short, feed.path(short)],
      [long, path],
      [long, `${path}?before=${deep}`],
      [long, `${path}?page=1&pageSize=${feed.page}`],
      [long, `${path}?before=${deep}&pageSize=${feed.page}`],
    )
    console.log(row(feed.title, [alone.get(feed)!, ...figures]))
  }

  console.log(`\n${row('audit operations searched', ['found', 'p50 ms', '+ total, ms', 'goes on'])}`)
  const times = await spanOf(client, long)
  for (const [title, query] of SEARCHES) {
    const path = `${FEEDS[0]!.path(long)}?${query(times).replace('USER', String(long.user + 7))}`
    const { found, goesOn } = await look(server, long, path)
    const figures = await p50([long, path], [long, `${path}&pageSize=200`])
    console.log(row(title, [String(found), ...figures, goesOn ? 'yes' : '']))
  }
  await client.end()
}

async function ownerOf(client: pg.Client, { token, quietProjects, quietTasks }: Member): Promise<Owner> {
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
  await client.query(
    `insert into role_permissions (tenant_id, role_id, permission_id)
     select r.tenant_id, r.id, p.id from roles r, permissions p where r.tenant_id = $1 and p.code = 'audit:view' on conflict do nothing`,
    [claims.tenantId],
  )
  return { token, tenant: claims.tenantId, user: Number(claims.sub), project: quietProjects[0]!, task: quietTasks[0]! }
}

async function deepest(client: pg.Client, { title, table }: Feed, { tenant }: Owner): Promise<number> {
  const which =
    title === 'activities of a project'
      ? 'and task_id is null'
      : table === 'activities'
        ? 'and task_id is not null'
        : ''
  const { rows } = await client.query(
    `select id::int from ${table} where tenant_id = $1 ${which} order by id offset 600 limit 1`,
    [tenant],
  )
  return rows[0].id
}

/** The time at a share of the trail. */
async function spanOf(client: pg.Client, { tenant }: Owner) {
  const { rows } = await client.query(
    'select min(created_at) as first, max(created_at) as last from audit_operations where tenant_id = $1',
    [tenant],
  )
  const [first, last] = [Number(rows[0].first), Number(rows[0].last)]
  return (share: number) => new Date(first + share * (last - first)).toISOString()
}

async function look({ port }: Server, { token }: Owner, path: string) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await answer.json()) as any
  return { found: data.length as number, goesOn: answer.headers.has('link') }
}

function senderOf(token: string, path: string): Sender {
  const text = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`
  return { next: () => text, landed() {} }
}

function row(label: string, values: string[]): string {
  return label.padEnd(28) + values.map((value) => value.padStart(16)).join('')
}
