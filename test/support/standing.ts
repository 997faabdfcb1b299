import type { Inspector } from './database.ts'
import { CHAINS, DELIVERIES, EVENTS_AND_AUDIT, INVITATIONS, LINKS, MAILS } from './evidence.ts'
import { gathered } from './gathered.ts'
import type { Figure } from './invariants.ts'
import { tablesIn } from './tables.ts'

/** Invariants of what stands: requests, departments, owners, articles, names. Each needs the database alone. */
export function checkStanding(look: Inspector): Promise<Figure[]> {
  return gathered(look, standing)
}

/** The same of rows that are gathered already. */
export async function standing(look: Inspector): Promise<Figure[]> {
  return [
    await holds(look, 'I9o', 'each project has one owner, who lives and is its member', OWNERS),
    await holds(look, 'I10p', 'no task, member or edit came while its project was archived', WHILE_ARCHIVED),
    await holds(look, 'I12', 'each request is what its steps say, and waits for one of them at most', REQUESTS),
    await holds(
      look,
      'I12d',
      'what waits has its department, and what was handed in knows what that was called',
      WAITING,
    ),
    await holds(look, 'I15', 'departments form trees of 64 levels at most, led by members who live', DEPARTMENTS),
    await holds(look, 'I18', 'what is published has the day of its first publication, and keeps it', ARTICLES),
    await holds(look, 'I19', 'no two people of a tenant have names that are one, or look like one', NAMES),
    await holds(look, 'I24', 'each command that the audit calls a success left its event', EVENTS_AND_AUDIT),
    ...(await ofPlugins(look)),
  ]
}

/** Invariants of tables of plug-ins, which are not there if the plug-in is not. */
const OF_PLUGINS: [table: string, id: string, sentence: string, sql: string][] = [
  ['audit_chains', 'I20', 'each row of the audit up to the end of its chain has the link that it should have', CHAINS],
  ['mails', 'I21', 'each mail waits, was sent or was given up, and what was sent is no longer kept', MAILS],
  ['webhooks', 'I22', 'each event that a webhook has read is on its way to it, or has ended', DELIVERIES],
  ['password_resets', 'I23', 'tokens of links are stored as hashes', LINKS],
  [
    'invitations',
    'I23i',
    'tokens of invitations are stored as hashes, and an invitation makes one person',
    INVITATIONS,
  ],
]

async function ofPlugins(look: Inspector): Promise<Figure[]> {
  const tables = await tablesIn(look)
  const figures: Figure[] = []
  for (const [table, id, sentence, sql] of OF_PLUGINS)
    if (tables.has(table)) figures.push(await holds(look, id, sentence, sql))
  return figures
}

/** @param sql yields a row for each thing that was looked at, and whether it is wrong */
async function holds(look: Inspector, id: string, sentence: string, sql: string): Promise<Figure> {
  const [row] = await look.rows<{ checked: string; wrong: string }>(
    `select count(*) as checked, count(*) filter (where wrong is not false) as wrong from (${sql}) looked`,
  )
  return { id, sentence, checked: Number(row!.checked), violations: Number(row!.wrong) }
}

const OWNERS = `
  select u.id is null or u.deleted_at is not null or coalesce(m.role, '') <> 'member' as wrong
    from projects p
    left join users u on u.tenant_id = p.tenant_id and u.id = p.owner_id
    left join project_members m on m.tenant_id = p.tenant_id and m.project_id = p.id and m.user_id = p.owner_id`

/** From each archiving to the next opening, whether or not the project is open by now. */
const WHILE_ARCHIVED = `
  select exists (
      select from (
        select created_at from tasks t where t.tenant_id = closed.tenant_id and t.project_id = closed.project_id union all
        select created_at from project_members m where m.tenant_id = closed.tenant_id and m.project_id = closed.project_id union all
        select created_at from activities a where a.tenant_id = closed.tenant_id and a.project_id = closed.project_id
           and a.task_id is null and a.action in ('PROJECT_MEMBER_ADDED', 'PROJECT_MEMBER_REMOVED', 'PROJECT_UPDATED', 'PROJECT_OWNER_CHANGED',
             'TASK_DELETED', 'TASK_RESTORED')
      ) late where late.created_at > closed.at and late.created_at < closed.until) as wrong
    from (
      select tenant_id, project_id, action, created_at as at,
             coalesce(lead(created_at) over (partition by tenant_id, project_id order by version), 'infinity') as until
        from activities where task_id is null and action in ('PROJECT_ARCHIVED', 'PROJECT_UNARCHIVED')) closed
   where action = 'PROJECT_ARCHIVED'`

const REQUESTS = `
  select (a.status = 'APPROVED') <> (coalesce(one.status, '') = 'APPROVED' and coalesce(two.status, '') = 'APPROVED')
      or (a.status = 'REJECTED') <> ('REJECTED' in (coalesce(one.status, ''), coalesce(two.status, '')))
      or (a.status = 'PENDING') <> ('PENDING' in (coalesce(one.status, ''), coalesce(two.status, '')))
      or coalesce(one.status = 'PENDING' and two.status = 'PENDING', false)
      or coalesce(two.acted_at is not null and (one.status <> 'APPROVED' or two.acted_at < one.acted_at), false)
      or (one.acted_by is null) <> (one.acted_at is null) or (two.acted_by is null) <> (two.acted_at is null)
      or (a.status = 'DRAFT' and one.id is not null)
      or (a.completed_at is null) <> (a.status in ('DRAFT', 'PENDING')) as wrong
    from approvals a
    left join approval_steps one on one.tenant_id = a.tenant_id and one.approval_id = a.id and one.step_order = 1
    left join approval_steps two on two.tenant_id = a.tenant_id and two.approval_id = a.id and two.step_order = 2`

const WAITING = `
  select (a.status = 'PENDING') <> (a.pending_department_id is not null)
      or (a.status = 'PENDING' and d.id is null)
      or (a.submitted_at is not null and a.department_id is not null and a.department_name is null) as wrong
    from approvals a left join departments d on d.tenant_id = a.tenant_id and d.id = a.pending_department_id`

const DEPARTMENTS = `
  select not reached.depth <= 64
      or (d.leader_id is not null and (m.department_id is distinct from d.id or u.deleted_at is not null)) as wrong
    from departments d
    left join (
      with recursive down as (
        select tenant_id, id, 1 as depth from departments where parent_id is null
        union all
        select c.tenant_id, c.id, depth + 1 from down join departments c on c.tenant_id = down.tenant_id and c.parent_id = down.id
      ) select * from down) reached on reached.tenant_id = d.tenant_id and reached.id = d.id
    left join users u on u.tenant_id = d.tenant_id and u.id = d.leader_id
    left join department_members m on m.tenant_id = d.tenant_id and m.user_id = d.leader_id`

const ARTICLES = `
  select (status = 'published' and published_at is null)
      or (published_at is not null and date <> (published_at at time zone 'UTC')::date)
      or placed_at is distinct from coalesce(published_at, created_at) as wrong
    from articles`

const NAMES = `
  select count(*) over (partition by tenant_id, lower(username)) > 1
      or (skeleton is not null and count(*) over (partition by tenant_id, skeleton) > 1) as wrong
    from users where deleted_at is null`
