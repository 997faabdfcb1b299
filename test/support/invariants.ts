import { expect } from 'vitest'
import { TASK_MOVES } from '../../src/domains/tasks/tasks.rules.ts'
import type { Inspector } from './database.ts'
import { excusedFrom } from './exceptions.ts'
import { gathered } from './gathered.ts'
import { HOLDS_FIGURES, untilNone } from './patience.ts'
import { standing } from './standing.ts'
import type { Entry } from './workload.ts'

/** One invariant, what it was checked on, and how often it was broken. */
export interface Figure {
  id: string
  sentence: string
  checked: number
  violations: number
}

/**
 * Holds the database against the invariants that need no history. I5 supposes that tasks which are commented on are not
 * reassigned and that nobody leaves a project, I7 that every update changed something: leave out what a test does not keep
 * to.
 */
export async function checkDatabase(look: Inspector, except: readonly string[] = []): Promise<Figure[]> {
  const figures = await gathered(look, checkAll)
  return figures.filter(({ id }) => !except.includes(id))
}

async function checkAll(look: Inspector): Promise<Figure[]> {
  return [
    await figureOf(look, 'I4c', 'the chain of changes of each field rebuilds the task', FIELD_CHAINS),
    await figureOf(
      look,
      'I5',
      'each event became one notification for each of its receivers, and the outbox is empty',
      NEWS,
    ),
    await figureOf(look, 'I17', 'each command left its events once, and their ids are without gaps', EVENTS),
    await checkTenants(look),
    await figureOf(look, 'I7', 'the version of each task and project is the number of its accepted updates', VERSIONS),
    await figureOf(look, 'I8', 'each move of a task is one of the table of transitions', MOVES, [LEGAL]),
    await figureOf(
      look,
      'I9',
      'no open task belongs to somebody who is no member, or only views its project',
      ASSIGNEES,
    ),
    await figureOf(look, 'I9b', 'each task is open as its status says, or in the bin and neither', OPEN),
    await figureOf(look, 'I10', 'no task, member or edit is later than the archiving of its project', ARCHIVES),
    ...(await standing(look)),
  ]
}

/** @param sql of two numbers: what was looked at, and what of it is wrong */
async function figureOf(look: Inspector, id: string, sentence: string, sql: string, values: unknown[] = []) {
  const [row] = await look.rows<{ checked: string; wrong: string }>(sql, values)
  return { id, sentence, checked: Number(row!.checked), violations: Number(row!.wrong) }
}

/** Compares the database with what the clients were answered. */
export async function checkHistory(look: Inspector, entries: readonly Entry[]): Promise<Figure[]> {
  await storeHistory(look, entries)
  return gathered(look, (look) => compareHistory(look, entries))
}

async function compareHistory(look: Inspector, entries: readonly Entry[]): Promise<Figure[]> {
  const count = (outcome: string) =>
    entries.filter((entry) => entry.outcome === outcome && entry.kind !== 'read').length
  const figure = async (id: string, sentence: string, checked: number, sql: string) => {
    return { id, sentence, checked, violations: await look.count(`select count(*) from (${sql}) violation`) }
  }
  return [
    await figure(
      'I1',
      'each acknowledged write is present, with its value or a later version',
      count('ok'),
      LOST_WRITES,
    ),
    await figure('I2', 'each refused command left nothing', count('refused'), TRACES_OF_REFUSED),
    await figure('I2u', 'each command of unknown outcome was done in full or not at all', count('unknown'), HALF_DONE),
    await figure(
      'I3',
      'each acknowledged command has exactly one audit row of success, and no other has one',
      count('ok'),
      UNAUDITED,
    ),
    await figure('I4', 'each change of a task or project has activities with its request id', count('ok'), UNRECORDED),
    await figure(
      'I11',
      'an idempotency key made at most one project',
      new Set(entries.map(({ key }) => key)).size,
      DOUBLED_KEYS,
    ),
  ]
}

/** Asserts that nothing was violated; the failure shows all figures. */
export function expectNoViolation(title: string, figures: readonly Figure[], more: Record<string, unknown> = {}): void {
  const lines = figures.map(
    ({ id, sentence, checked, violations }) =>
      `  ${id.padEnd(4)} ${String(violations).padStart(4)} of ${String(checked).padEnd(7)} ${sentence}`,
  )
  const said = linesOf(`${title}: violations`, lines, more)
  if (HOLDS_FIGURES) console.log(said)
  expect(
    figures.filter(({ violations }) => violations > 0),
    said,
  ).toEqual([])
}

/** Waits until the couriers have delivered all news. */
export function untilDelivered(look: Inspector): Promise<void> {
  return untilNone(() => look.count('select count(*) from outbox'))
}

/** With FIGURES=1, prints what was measured. */
export function report(title: string, lines: readonly string[], more: Record<string, unknown> = {}): void {
  if (HOLDS_FIGURES) console.log(linesOf(title, lines, more))
}

function linesOf(title: string, lines: readonly string[], more: Record<string, unknown>): string {
  return [title, ...Object.entries(more).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`), ...lines].join(
    '\n',
  )
}

async function storeHistory(look: Inspector, entries: readonly Entry[]) {
  await look.rows('create schema if not exists observed')
  await look.rows('drop table if exists observed.history')
  await look.rows(`create table observed.history (id text primary key, kind text, tenant bigint, actor bigint,
    outcome text, status int, task bigint, project bigint, comment bigint, member bigint, version int, key text)`)
  for (let at = 0; at < entries.length; at += 5000)
    await look.rows(
      `insert into observed.history select r.* from jsonb_to_recordset($1::jsonb) as r(id text, kind text, tenant bigint,
        actor bigint, outcome text, status int, task bigint, project bigint, comment bigint, member bigint, version int, key text)
        where kind <> 'read'`,
      [JSON.stringify(entries.slice(at, at + 5000))],
    )
  await look.rows('analyze')
}

const MARKER = (text: string) => `substring(${text} from 'w[a-z0-9]{1,4}-[0-9]+-[0-9]+')`

/** The tenant and the text are part of the question: a row under the right id with another's content is a loss too. */
const LOST_WRITES = `
  select h.id from observed.history h
   where h.outcome = 'ok' and h.kind <> 'read' and not case h.kind
     when 'createTask' then exists (
       select from tasks t join activities a on a.tenant_id = t.tenant_id and a.task_id = t.id and a.action = 'TASK_CREATED'
        where t.tenant_id = h.tenant and t.id = h.task and t.reporter_id = h.actor and ${MARKER('a.new_value')} = h.id)
     when 'updateTask' then exists (
       select from tasks t join activities a on a.tenant_id = t.tenant_id and a.task_id = t.id and a.field_name = 'title'
        where t.tenant_id = h.tenant and t.id = h.task and a.version = h.version and ${MARKER('a.new_value')} = h.id
          and (t.version > h.version or ${MARKER('t.title')} = h.id))
     when 'comment' then exists (
       select from task_comments c where c.tenant_id = h.tenant and c.id = h.comment and c.task_id = h.task
          and c.author_id = h.actor and ${MARKER('c.content')} = h.id)
     when 'createProject' then exists (
       select from projects p where p.tenant_id = h.tenant and p.id = h.project and p.code = h.id and p.owner_id = h.actor)
     when 'updateProject' then exists (
       select from projects p join activities a on a.tenant_id = p.tenant_id and a.project_id = p.id and a.task_id is null
        where p.tenant_id = h.tenant and p.id = h.project and a.version = h.version and ${MARKER('a.new_value')} = h.id
          and (p.version > h.version or ${MARKER('p.name')} = h.id))
     when 'addMember' then exists (
       select from project_members m where m.tenant_id = h.tenant and m.project_id = h.project and m.user_id = h.member)
     end`

/** Every place where a command leaves its marker. */
const TRACES = `
  select request_id as id from activities union all
  select ${MARKER('new_value')} from activities union all
  select ${MARKER('title')} from tasks union all
  select ${MARKER('content')} from task_comments union all
  select ${MARKER('name')} from projects union all
  select ${MARKER("content || ' ' || title")} from notifications where content is not null union all
  select ${MARKER('title')} from notifications where type = 'TASK_ASSIGNED' union all
  select ${MARKER("coalesce(content, '') || ' ' || title")} from outbox union all
  select request_id from audit_operations where status between 200 and 299`

const TRACES_OF_REFUSED = `
  select distinct t.id from (${TRACES}) t join observed.history h using (id) where h.outcome in ('refused', 'unsent')`

/** Adding a member who is one already changes nothing, so it is audited and records no activity. */
const HALF_DONE = `
  select h.id from observed.history h
   where h.outcome = 'unknown' and h.kind <> 'addMember'
     and exists (select from audit_operations o where o.request_id = h.id and o.status between 200 and 299)
      <> exists (select from activities a where a.request_id = h.id)`

const UNAUDITED = `
  with successes as (
    select request_id as id, count(*) as n from audit_operations where status between 200 and 299 and request_id ~ '^w' group by 1)
  select h.id from observed.history h left join successes s using (id) where h.outcome = 'ok' and coalesce(s.n, 0) <> 1
  union all
  select s.id from successes s left join observed.history h using (id) where h.outcome is null or s.n > 1`

const UNRECORDED = `
  select h.id from observed.history h left join lateral (
      select count(*) as n, count(*) filter (where a.actor_id <> h.actor or a.tenant_id <> h.tenant
               or a.task_id is distinct from h.task or (h.project is not null and a.project_id <> h.project)) as strange
        from activities a where a.request_id = h.id) found on true
   where h.outcome = 'ok' and (found.strange > 0 or (found.n = 0 and h.kind <> 'addMember'))
  union all
  select a.request_id from activities a where a.request_id ~ '^w' and not exists (select from observed.history h where h.id = a.request_id)`

const DOUBLED_KEYS = `
  select h.tenant, h.actor, h.key from observed.history h join projects p on p.tenant_id = h.tenant and p.code = h.id
   where h.key is not null group by 1, 2, 3 having count(*) > 1`

/** The history of each field is a chain: every change begins where the one before ended, and the last is what is stored. */
const FIELD_CHAINS = `
    with steps as (
      select a.tenant_id, a.task_id, a.field_name, a.old_value, a.new_value,
             lag(a.new_value) over chain as before, row_number() over chain as step,
             row_number() over (partition by a.tenant_id, a.task_id, a.field_name order by a.version desc) as from_end
        from activities a where a.task_id is not null and a.field_name is not null
      window chain as (partition by a.tenant_id, a.task_id, a.field_name order by a.version))
    select count(*) as checked, count(*) filter (where
        (step > 1 and old_value is distinct from before)
        or (step = 1 and field_name = 'status' and old_value <> 'TODO')
        or (step = 1 and field_name = 'title' and old_value is distinct from (
              select c.new_value from activities c where c.tenant_id = s.tenant_id and c.task_id = s.task_id and c.action = 'TASK_CREATED'))
        or (from_end = 1 and new_value is distinct from case field_name
              when 'title' then t.title when 'status' then t.status when 'assigneeId' then t.assignee_id::text
              when 'description' then t.description when 'priority' then t.priority when 'dueDate' then t.due_date::text end)) as wrong
      from steps s join tasks t on t.tenant_id = s.tenant_id and t.id = s.task_id`

/**
 * Activities commit with the event, so they show which notifications there must be. A person is not notified of their
 * own act.
 */
const EXPECTED_NEWS = `
  select a.tenant_id, 'TASK_ASSIGNED' as type, a.task_id as resource, a.new_value::bigint as receiver
    from activities a where a.action = 'TASK_ASSIGNED' and a.new_value is not null and a.new_value::bigint <> a.actor_id
  union all
  select a.tenant_id, 'TASK_ASSIGNED', a.task_id, first.assignee
    from activities a join tasks t on t.tenant_id = a.tenant_id and t.id = a.task_id
    cross join lateral (
      select case when count(*) = 0 then t.assignee_id else (array_agg(c.old_value order by c.version))[1]::bigint end as assignee
        from activities c where c.tenant_id = a.tenant_id and c.task_id = a.task_id and c.field_name = 'assigneeId') first
   where a.action = 'TASK_CREATED' and first.assignee <> a.actor_id
  union all
  select a.tenant_id, 'TASK_COMMENTED', a.task_id, told.person
    from activities a join tasks t on t.tenant_id = a.tenant_id and t.id = a.task_id
    cross join lateral (select distinct unnest(array[t.assignee_id, t.reporter_id]) as person) told
   where a.action = 'COMMENT_ADDED' and told.person <> a.actor_id
  union all
  select a.tenant_id, 'PROJECT_MEMBER_ADDED', a.project_id, a.new_value::bigint
    from activities a where a.action = 'PROJECT_MEMBER_ADDED' and a.new_value::bigint <> a.actor_id`

const NEWS = `
    with expected as (
      select tenant_id, type, resource, receiver, count(*) as n from (${EXPECTED_NEWS}) e group by 1, 2, 3, 4),
    delivered as (
      select tenant_id, type, resource_id as resource, receiver_id as receiver, count(*) as n from notifications
       where type in ('TASK_ASSIGNED', 'TASK_COMMENTED', 'PROJECT_MEMBER_ADDED') group by 1, 2, 3, 4)
    select coalesce(sum(greatest(e.n, d.n)), 0) as checked,
           count(*) filter (where e.n is distinct from d.n) + (select count(*) from outbox) as wrong
      from expected e full join delivered d using (tenant_id, type, resource, receiver)`

/** An id for each event, none left out, and an event for each task, comment and project; of a removed task its history tells. */
const EVENTS = `
    with happened as (
      select tenant_id, type, subject_id from events union all select tenant_id, type, subject_id from unnumbered_events),
    made as (
      select tenant_id, 'task.created' as type, id as subject_id from tasks
      union all select tenant_id, case action when 'TASK_CREATED' then 'task.created' else 'task.commented' end, task_id
        from activities a where action in ('TASK_CREATED', 'COMMENT_ADDED')
         and not exists (select from tasks t where t.tenant_id = a.tenant_id and t.id = a.task_id)
      union all select tenant_id, 'project.created', id from projects
      union all select tenant_id, 'task.commented', task_id from task_comments),
    numbers as (
      select tenant_id, count(*) as n, max(id) - min(id) + 1 as span, max(id) as last from events group by tenant_id)
    select (select count(*) from happened) as checked,
           (select count(*) from numbers join event_counters c using (tenant_id)
             where n <> span or last <> c.last_number) +
           (select count(*) from (
              select tenant_id, type, subject_id, count(*) as n from happened
               where type in ('task.created', 'project.created', 'task.commented') group by 1, 2, 3) h
              full join (select tenant_id, type, subject_id, count(*) as n from made group by 1, 2, 3) m
              using (tenant_id, type, subject_id) where h.n is distinct from m.n) as wrong`

/** References that have no key: what they name outlives it, or may be of several kinds. */
const KEYLESS: Record<string, string> = {
  'activities.actor_id': 'users',
  'activities.project_id': 'projects',
  'activities.task_id': 'tasks',
  'audit_operations.user_id': 'users',
  'approvals.department_id': 'departments',
  'comments.user_id': 'users',
  'files.uploader_id': 'users',
  'invitations.department_id': 'departments',
  'invitations.mail_id': 'mails',
  'mails.asked_by': 'users',
  'payment_orders.user_id': 'users',
  'tasks.deleted_by_id': 'users',
}

/** Columns that look like references and are none, or are looked at by the kind of what they name. */
const NO_REFERENCE = new Set([...Object.keys(excusedFrom('a column without a foreign key')), 'users.living_id'])

async function listKeyless(look: Inspector): Promise<string[]> {
  const rows = await look.rows<{ name: string }>(`
    select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
       and a.atttypid = 'bigint'::regtype and a.attname ~ '(_id|_by)$' and a.attname <> 'tenant_id'
       and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey))`)
  return rows.map(({ name }) => name)
}

/** The things of notifications and files, whose kind stands beside their id. */
const THINGS = ['notifications', 'files'].flatMap((table) => [
  { table, type: 'task', parent: 'tasks' },
  { table, type: 'project', parent: 'projects' },
  { table, type: 'approval', parent: 'approvals' },
  { table, type: 'article', parent: 'articles' },
])

/** Asks for each foreign key between tenants' tables, and for each reference that has no key. */
async function checkTenants(look: Inspector): Promise<Figure> {
  const keys = await look.rows<{ child: string; parent: string; columns: string[]; targets: string[] }>(`
    select own.relname::text as child, other.relname::text as parent,
           array(select attname::text from unnest(c.conkey) with ordinality k(n, o) join pg_attribute on attrelid = c.conrelid and attnum = n order by o) as columns,
           array(select attname::text from unnest(c.confkey) with ordinality k(n, o) join pg_attribute on attrelid = c.confrelid and attnum = n order by o) as targets
      from pg_constraint c join pg_class own on own.oid = c.conrelid join pg_class other on other.oid = c.confrelid
     where c.contype = 'f' and exists (select from pg_attribute where attrelid = c.confrelid and attname = 'tenant_id')`)
  const without = await listKeyless(look)
  const references = [
    ...keys,
    // A plug-in that is off has no tables.
    ...without.flatMap((column) => {
      const [child, name] = column.split('.') as [string, string]
      return column in KEYLESS ? { child, parent: KEYLESS[column]!, columns: [name], targets: ['id'] } : []
    }),
    ...THINGS.map(({ table, type, parent }) => ({
      child: `(select * from ${table} where resource_type = '${type}')`,
      parent,
      columns: ['resource_id'],
      targets: ['id'],
    })),
  ]
  const pointing = references.map(({ child, parent, columns, targets }) => {
    const pairs = columns.map((column, at) => [column, targets[at]!]).filter(([column]) => column !== 'tenant_id')
    const same = pairs.map(([column, target]) => `c.${column} = p.${target}`).join(' and ')
    return `select count(*) as n from ${child} c join ${parent} p on ${same} where c.tenant_id <> p.tenant_id`
  })
  const keyless = keys.filter(({ columns }) => !columns.includes('tenant_id'))
  const forgotten = without.filter((column) => !(column in KEYLESS) && !NO_REFERENCE.has(column))
  return {
    id: 'I6',
    sentence: `no row points at another tenant's row (${[`${references.length} references`, ...forgotten].join('; nobody looks at ')})`,
    checked: references.length,
    violations:
      keyless.length +
      forgotten.length +
      (await look.count(`select sum(n) from (${pointing.join(' union all ')}) all_of_them`)),
  }
}

/** The versions of each task and project are 1 to n, each by one request, and n is what is stored. */
const VERSIONS = `
    with subjects as (
      select tenant_id, 'task' as kind, id, version from tasks union all
      select tenant_id, 'project', id, version from projects),
    changes as (
      select tenant_id, 'task' as kind, task_id as id, version, request_id from activities
       where task_id is not null and action in ('FIELD_CHANGED', 'TASK_ASSIGNED', 'STATUS_CHANGED', 'TASK_RESTORED') union all
      select tenant_id, 'project', project_id, version, request_id from activities
       where task_id is null and action in ('PROJECT_UPDATED', 'PROJECT_OWNER_CHANGED', 'PROJECT_ARCHIVED', 'PROJECT_UNARCHIVED')),
    counted as (
      select tenant_id, kind, id, count(distinct request_id) as requests, count(distinct version) as versions,
             min(version) as first, max(version) as last from changes group by 1, 2, 3)
    select count(*) as checked, count(*) filter (where version <> coalesce(requests, 0) or version <> coalesce(versions, 0)
        or version <> coalesce(last, 0) or coalesce(first, 1) <> 1) as wrong
      from subjects left join counted using (tenant_id, kind, id)`

const LEGAL = Object.entries(TASK_MOVES).flatMap(([from, targets]) => targets.map((to) => `${from}>${to}`))
const MOVES = `select count(*) as checked, count(*) filter (where not old_value || '>' || new_value = any($1)) as wrong
       from activities where action = 'STATUS_CHANGED'`

const ASSIGNEES = `
    select count(*) as checked, count(*) filter (where m.role is distinct from 'member') as wrong
      from tasks t left join project_members m
        on m.tenant_id = t.tenant_id and m.project_id = t.project_id and m.user_id = t.assignee_id
     where t.assignee_id is not null and t.status in ('TODO', 'IN_PROGRESS', 'BLOCKED') and t.deleted_at is null`

const OPEN = `
    select count(*) as checked, count(*) filter (where is_open is distinct from
        case when deleted_at is null then status not in ('DONE', 'CANCELLED') end) as wrong from tasks`

const ARCHIVES = `
    with late as (
      select tenant_id, project_id, created_at from tasks union all
      select tenant_id, project_id, created_at from project_members union all
      select tenant_id, project_id, created_at from activities
       where task_id is null and action in ('PROJECT_MEMBER_ADDED', 'PROJECT_MEMBER_REMOVED', 'PROJECT_UPDATED', 'TASK_DELETED', 'TASK_RESTORED'))
    select count(*) as checked, count(*) filter (where late.created_at > p.archived_at) as wrong
      from late join projects p on p.tenant_id = late.tenant_id and p.id = late.project_id where p.archived_at is not null`
