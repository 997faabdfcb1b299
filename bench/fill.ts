import '../src/domains/index.ts'
import { createHmac } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../src/data/setup/migrate.ts'
import { writeCatalogue } from '../src/domains/roles/catalogue.ts'
import { grantsOf, ROLE } from '../src/kernel/access.ts'
import { loadDomains, migrationsOf } from '../src/load-domains.ts'

export interface Volume {
  tenants: number
  /** of each tenant */
  projects: number
  /** of each project */
  tasks: number
  /** signed in, spread over the tenants; each is a member of all projects of theirs */
  people?: number
  /** published in each tenant, of ten kilobytes each */
  articles?: number
}

/** A filled database, and what is needed to query its contents. */
export interface Filled {
  members: Member[]
  /** the role that the service drops to */
  role: string
  tenantCodes: string[]
}

/** A project member without an administrator's role, each in a different tenant as far as there are enough. */
export interface Member {
  tenant: number
  user: number
  token: string
  /** projects that no one writes to */
  quietProjects: number[]
  busyProjects: number[]
  /** tasks of the quiet projects */
  quietTasks: number[]
  /** tasks of the busy projects */
  busyTasks: number[]
}

const MEMBERS = 50
const LEAST_USERS = 10
const LEAST_MEMBERS = 5

/** For each tenant: its users, and how many of them are members of each of its projects, the first ones. */
function sizesOf({ tenants, people = MEMBERS }: Volume) {
  const needed = 1 + Math.ceil(people / tenants)
  return { users: Math.max(LEAST_USERS, needed), memberships: Math.max(LEAST_MEMBERS, needed) }
}

/**
 * Migrates the database, fills it with set-based SQL and signs people in. Rows of all projects are interleaved, as if
 * they had grown over time: the newest twenty tasks of a project are on twenty pages.
 */
export async function fill(url: string, volume: Volume, secret: string): Promise<Filled> {
  const silent = { info() {}, warn() {}, error() {} }
  const { role } = await migrate(url, silent, migrationsOf(await loadDomains({ plugins: ['all'], domains: [] })), {
    andThen: writeCatalogue,
  })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Every key is right by construction; checking millions of them would only take time.
    await client.query('begin; set local session_replication_role = replica')
    for (const statement of statements(volume)) await client.query(statement)
    await client.query('commit')
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
    const tenantCodes = Array.from({ length: volume.tenants }, (_, n) => `tenant-${n + 2}`)
    return { role, tenantCodes, members: await signIn(client, volume, secret) }
  } finally {
    await client.end()
  }
}

/** Gives each role of the filled tenants one more permission. */
export const permitting = (code: string) => `
  insert into role_permissions (tenant_id, role_id, permission_id)
  select tenant_id, roles.id, permissions.id from roles, permissions
   where permissions.code = '${code}' and tenant_id > 1`

/** Tenant n has users (n-1)·10+1 …; the projects and tasks of all tenants are interleaved. */
function statements(volume: Volume): string[] {
  const { tenants, projects, tasks, articles = 0 } = volume
  const { users, memberships } = sizesOf(volume)
  const permissions = grantsOf(ROLE.user)
    .map((code) => `'${code}'`)
    .join()
  const eachTenant = `generate_series(2, ${tenants + 1}) as tenant`
  const allProjects = tenants * projects
  const past = `now() - interval '1 year'`
  return [
    `insert into tenants (id, name, code, plan) select tenant, 'Tenant ' || tenant, 'tenant-' || tenant, 'enterprise' from ${eachTenant}`,
    `insert into users (tenant_id, id, username, password_hash, nickname)
       select tenant, (tenant - 2) * ${users} + n, 'user-' || n, '-', 'User ' || n
         from ${eachTenant}, generate_series(1, ${users}) as n`,
    `insert into roles (tenant_id, id, code, name) select tenant, tenant, '${ROLE.user}', 'User' from ${eachTenant}`,
    `insert into role_permissions (tenant_id, role_id, permission_id)
       select tenant, tenant, permissions.id from ${eachTenant}, permissions where permissions.code in (${permissions})`,
    `insert into user_roles (tenant_id, user_id, role_id) select tenant_id, id, tenant_id from users where tenant_id > 1`,
    `insert into projects (tenant_id, id, name, code, owner_id, created_at, updated_at)
       select tenant, (n - 1) * ${tenants} + tenant - 1, 'Project ' || n, 'P' || n, (tenant - 2) * ${users} + 1, ${past}, ${past}
         from ${eachTenant}, generate_series(1, ${projects}) as n`,
    `insert into project_members (tenant_id, project_id, user_id, created_at)
       select tenant_id, projects.id, owner_id + n, ${past} from projects, generate_series(0, ${memberships - 1}) as n`,
    `insert into tasks (tenant_id, id, project_id, title, description, assignee_id, reporter_id, priority, status, due_date, created_at, updated_at)
       select tenant_id, (n - 1) * ${allProjects} + projects.id, projects.id, 'Task ' || n || ' of project ' || projects.id,
              'What is to be done here, why it matters, and how we will know that it is done. '
                || repeat('More words. ', (n % 7)::int),
              owner_id + n % ${memberships}, owner_id,
              (array['LOW', 'MEDIUM', 'HIGH', 'URGENT'])[1 + n % 4], (array['TODO', 'IN_PROGRESS', 'BLOCKED'])[1 + n % 3],
              date '2030-01-01' + n, created_at + n * interval '1 hour', created_at + n * interval '1 hour'
         from generate_series(1, ${tasks}) as n, projects order by n, projects.id`,
    `insert into activities (tenant_id, id, project_id, task_id, actor_id, action, new_value, version, request_id, created_at)
       select tenant_id, id, project_id, id, reporter_id, 'TASK_CREATED', title, 0, 'fill', created_at from tasks`,
    `insert into categories (tenant_id, id, name, slug, created_at, updated_at) select tenant, 100, 'News', 'news', now(), now() from ${eachTenant}`,
    `insert into articles (tenant_id, id, title, author, category_id, content, date, status, summary, created_at, updated_at)
       select tenant, 100 + n, 'Article ' || n, 'Author ' || n % 20, 100,
              array(select string_agg(md5(random()::text), ' ') || tenant from generate_series(1, 300) as word group by word % 10),
              date '2020-01-01' + n, 'published', 'What it is about, in a sentence', now(), now()
         from generate_series(1, ${articles}) as n, ${eachTenant}`,
    ...['tenants', 'users', 'roles', 'projects', 'tasks', 'activities'].map(
      (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
    ),
  ]
}

async function signIn(client: pg.Client, volume: Volume, secret: string): Promise<Member[]> {
  const { tenants, projects, people = MEMBERS } = volume
  const { users } = sizesOf(volume)
  const { rows } = await client.query(
    `insert into sessions (tenant_id, user_id, expires_at)
     select 2 + tenant, tenant * ${users} + 1 + row_number() over (partition by tenant), now() + interval '1 day'
       from (select n * ${tenants}::bigint / ${people} as tenant from generate_series(0, ${people - 1}) as n) as everybody
     returning tenant_id::int as tenant, user_id::int as user, id::int as session`,
  )
  const { rows: found } = await client.query(
    `select tenant_id::int as tenant, project_id::int as id, array_agg(id::int order by id desc) as tasks
       from tasks where tenant_id = any($1) group by 1, 2 order by 1, 2`,
    [[...new Set(rows.map(({ tenant }) => tenant))]],
  )
  const ofTenants = new Map(
    [...Map.groupBy(found, ({ tenant }) => tenant as number)].map(([tenant, all]) => {
      const quiet = all.slice(0, Math.ceil(projects / 2))
      const busy = all.slice(quiet.length)
      return [
        tenant,
        {
          quietProjects: quiet.map(({ id }) => id),
          quietTasks: quiet.flatMap(({ tasks }) => tasks),
          busyProjects: busy.map(({ id }) => id),
          busyTasks: busy.flatMap(({ tasks }) => tasks),
        },
      ]
    }),
  )
  return rows.map(({ tenant, user, session }) => {
    const claims = { sub: String(user), username: 'somebody', tenantId: tenant, sid: session, type: 'access' }
    return { tenant, user, token: sign(claims, secret), ...ofTenants.get(tenant)! }
  })
}

/** An access token as src/http/request/identity.ts reads it, valid for two hours. */
function sign(claims: object, secret: string): string {
  const iat = Math.floor(Date.now() / 1000)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, iss: 'atrium', iat, exp: iat + 7200 })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
