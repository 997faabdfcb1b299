/**
 * SQL that fills the tables of a tenant, one family at a time, with any number of additional rows: nearly all belong to
 * SOMEBODY, the oldest five to SOMEBODY_ELSE, and none to NOBODY, so that an owner of few is searched for among all.
 * Keys are right by construction.
 */
export const SOMEBODY = 1
export const SOMEBODY_ELSE = 2
export const NOBODY = 3
/** the project, task, department, article and role that everything belongs to */
export const ONE = 1

const PEOPLE = 1000
const owner = `case when n > 5 then ${SOMEBODY} else ${SOMEBODY_ELSE} end`
const anybody = `10 + n % ${PEOPLE - 10}`

/** The tenant with the rows that others refer to. */
export function tenantOf(t: number): string[] {
  return [
    `insert into tenants (id, name, code, plan) values (${t}, 'Growing', 'growing-${t}', 'x')`,
    ...usersOf(t, 1, PEOPLE),
    `insert into roles (tenant_id, id, code, name) values (${t}, ${ONE}, 'leader', 'Leader')`,
    `insert into role_permissions (tenant_id, role_id, permission_id) select ${t}, ${ONE}, id from permissions where code = 'approval:action'`,
    `insert into user_roles (tenant_id, user_id, role_id) values (${t}, ${SOMEBODY}, ${ONE}), (${t}, ${SOMEBODY_ELSE}, ${ONE})`,
    `insert into departments (tenant_id, id, name, code, leader_id, created_at, updated_at)
     values (${t}, ${ONE}, 'Department', 'D', ${SOMEBODY}, now(), now())`,
    ...projectsOf(t, ONE, ONE),
    `insert into project_members (tenant_id, project_id, user_id, created_at) values (${t}, ${ONE}, ${SOMEBODY_ELSE}, now()) on conflict do nothing`,
    `insert into categories (tenant_id, id, name, slug, created_at, updated_at)
     select ${t}, n, 'Category ' || n, 'c' || n, now(), now() from generate_series(1, 8) n`,
  ]
}

function usersOf(t: number, first: number, last: number): string[] {
  return [
    `insert into users (tenant_id, id, username, password_hash, look, skeleton)
     select ${t}, n, 'user-' || n, '-', 'user-' || n, 'user-' || n from generate_series(${first}, ${last}) n`,
  ]
}

function projectsOf(t: number, first: number, last: number): string[] {
  const series = `generate_series(${first}, ${last}) n`
  return [
    `insert into projects (tenant_id, id, name, code, owner_id, status, archived_at, created_at, updated_at)
     select ${t}, n, 'Project ' || n, 'P' || n, ${SOMEBODY}, case when n > 5 then 'ACTIVE' else 'ARCHIVED' end,
            case when n < 6 then now() end, now(), now() from ${series}`,
    `insert into project_members (tenant_id, project_id, user_id, created_at)
     select ${t}, n, ${SOMEBODY}, now() from ${series} union all select ${t}, n, ${SOMEBODY_ELSE}, now() from ${series} where n < 6`,
  ]
}

/** @param rows the statements that make its rows, one of each kind for each number of the series */
function family(tables: string[], rows: (t: number, series: string, first: number, last: number) => string[]) {
  /** The rows of these numbers. */
  const fill = (t: number, first: number, last: number) => rows(t, `generate_series(${first}, ${last}) n`, first, last)
  return { tables, fill }
}

const IS_WAITING = 'n < 6 or n % 10 = 0'

export type Family = keyof typeof FAMILIES
export const FAMILIES = {
  people: family(['users', 'department_members', 'project_members'], (t, series, first, last) => [
    ...usersOf(t, Math.max(first, PEOPLE + 1), last),
    `insert into department_members (tenant_id, department_id, user_id, created_at)
     select ${t}, ${ONE}, n, now() from ${series}`,
    `insert into project_members (tenant_id, project_id, user_id, created_at)
     select ${t}, ${ONE}, n, now() from generate_series(${Math.max(first, 3)}, ${last}) n`,
  ]),
  projects: family(['projects', 'project_members'], (t, _, first, last) =>
    projectsOf(t, Math.max(first, ONE + 1), last),
  ),
  tasks: family(['tasks', 'task_comments', 'activities'], (t, series, first, last) => [
    `insert into tasks (tenant_id, id, project_id, title, description, assignee_id, reporter_id, status, is_open, priority, due_date, created_at, updated_at)
     select ${t}, n, case when n > 5 and n % 10 = 0 then 2 + n % 200 else ${ONE} end, 'Task ' || n, 'What is to be done', ${owner}, ${SOMEBODY},
            case when n < 6 then 'BLOCKED' when n % 2 = 0 then 'DONE' else 'TODO' end, n < 6 or n % 2 = 1,
            case when n % 4 = 0 then 'HIGH' else 'MEDIUM' end, case when n % 3 > 0 then date '2026-01-01' + n % 500 end,
            now(), now() from ${series}`,
    `update tasks set is_open = null, deleted_at = now(), deleted_by_id = ${SOMEBODY}
      where tenant_id = ${t} and id between ${first} and ${last} and id < 5000 and id % 50 = 7`,
    `insert into task_comments (tenant_id, id, task_id, author_id, content, created_at)
     select ${t}, n, ${ONE}, ${anybody}, 'A few words', now() from ${series}`,
    `insert into activities (tenant_id, id, project_id, task_id, actor_id, action, version, request_id, created_at)
     select ${t}, n, ${ONE}, case when n % 2 = 0 then ${ONE} end, ${anybody}, 'TASK_CREATED', 0, 'r', now() from ${series}`,
  ]),
  approvals: family(['approvals', 'approval_steps'], (t, series) => [
    `insert into approvals (tenant_id, id, type, title, applicant_id, department_id, department_name, status, current_step, payload, created_at, updated_at, submitted_at)
     select ${t}, n, 'LEAVE', 'Request ' || n, case when n % 3 = 0 then ${owner} else ${anybody} end, ${ONE}, 'Department',
            case when ${IS_WAITING} then 'PENDING' else 'APPROVED' end, case when ${IS_WAITING} then 1 else 0 end, '{}', now(), now(), now() from ${series}`,
    `insert into approval_steps (tenant_id, id, approval_id, step_order, approver_type, approver_id, status, acted_by, acted_at)
     select ${t}, n, n, 1, 'DEPARTMENT_MANAGER', ${owner},
            case when ${IS_WAITING} then 'PENDING' else 'APPROVED' end, case when not (${IS_WAITING}) then ${owner} end, now() from ${series}`,
  ]),
  notifications: family(['notifications'], (t, series) => [
    `insert into notifications (tenant_id, id, receiver_id, event_id, type, title, read_at, created_at)
     select ${t}, n, ${owner}, n, 'TASK_ASSIGNED', 'x', case when n % 100 > 0 then now() end, now() from ${series}`,
  ]),
  audit: family(['audit_operations', 'audit_links'], (t, series) => [
    `insert into audit_links (tenant_id, id, chain) select ${t}, n, repeat('0', 64) from ${series}`,
    `insert into audit_operations (tenant_id, id, request_id, user_id, username, method, path, route, status, duration, ip, user_agent, created_at)
     select ${t}, n, 'r-' || n, case when n % 2 = 0 then ${owner} else ${anybody} end, 'somebody', 'PUT', '/api/v1/tasks/' || n, '/api/v1/tasks/:id',
            case when n % 2 = 0 then 200 else 403 end, 1, '10.0.0.1', 'x', ${AUDITED}
       from ${series}`,
  ]),
  events: family(['events'], (t, series) => [
    `insert into events (tenant_id, id, type, subject_type, subject_id, actor_kind, actor_id, data, occurred_at)
     select ${t}, n, case when n < 6 then 'user.disabled' else 'task.created' end, case when n < 6 then 'user' else 'task' end,
            n, 'user', ${owner}, '{}', now() from ${series}`,
  ]),
  mails: family(['mails'], (t, series) => [
    `insert into mails (tenant_id, id, key, kind, recipient, locale, status, created_at, ended_at)
     select ${t}, n, 'k-' || n, 'NEWS', 'a@example.org', 'en', case when n < 6 then 'dead' else 'sent' end, now(), now()
       from ${series}`,
  ]),
  content: family(['articles', 'comments'], (t, series) => [
    `insert into articles (tenant_id, id, title, author, category_id, content, date, status, published_at, writer_id, summary, created_at, updated_at)
     select ${t}, n, 'Article ' || n, 'Author', 1 + n % 8, array['word'], date '2020-01-01' + n % 2000,
            case when n > 5 then 'published' else 'draft' end, case when n > 5 then now() end, ${owner}, 'x', now(), now() from ${series}`,
    `insert into comments (tenant_id, id, article_id, user_id, content, status, created_at)
     select ${t}, n, ${ONE}, ${anybody}, 'Well said', case when n > 5 then 'published' else 'hidden' end, now() from ${series}`,
  ]),
  papers: family(['files', 'payment_orders', 'contact_messages'], (t, series) => [
    // A hundred files for each task.
    `insert into files (tenant_id, id, filename, original_name, content_type, size, sha256, uploader_id, created_at, resource_type, resource_id)
     select ${t}, n, 'f-' || n, 'a file', 'text/plain', 100, 'x', ${owner}, now(),
            case when n % 4 = 0 then 'task' end, case when n % 4 = 0 then ${ONE} + n / 400 end from ${series}`,
    `insert into payment_orders (tenant_id, id, user_id, order_no, plan_id, plan_name, amount_cents, currency, channel, created_at, expires_at)
     select ${t}, n, ${owner}, 'o-' || n, 1, 'Plan', 100, 'CNY', 'card', now(), now() from ${series}`,
    `insert into contact_messages (tenant_id, id, email, name, message, created_at)
     select ${t}, n, 'a@example.org', 'A visitor', 'A few words', now() from ${series}`,
  ]),
}

/** The time of an operation of the audit: one a second. */
const AUDITED = `timestamptz '2025-01-01' + n * interval '1 second'`
/** The first minutes of the trail. */
export const LONG_AGO = { from: '2025-01-01T00:10:00Z', to: '2025-01-01T00:11:00Z' }

/** All families of a tenant with this many rows of everything. */
export function growthOf(tenant: number, rows: number): string[] {
  return [
    'begin',
    'set local session_replication_role = replica',
    ...tenantOf(tenant),
    ...Object.values(FAMILIES).flatMap(({ fill }) => fill(tenant, 1, rows)),
    'commit',
    'vacuum (analyze)',
  ]
}
