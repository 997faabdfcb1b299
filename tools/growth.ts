import type { Scope } from '../src/data/tx/scope.ts'
import { listApprovals } from '../src/domains/approvals/approvals.store.ts'
import { listOperations, searchOperations } from '../src/domains/audit/audit.store.ts'
import { listArticles, listCategories, PUBLISHED } from '../src/domains/content/content.store.ts'
import { listNotifications } from '../src/domains/notifications/notifications.store.ts'
import { listDepartmentMembers, listDepartmentTree } from '../src/domains/organization/organization.store.ts'
import { listDirectory } from '../src/domains/people/people.store.ts'
import { listProjects } from '../src/domains/projects/projects.store.ts'
import { listComments, listTasks } from '../src/domains/tasks/tasks.store.ts'
import { listUsers } from '../src/domains/users/users.store.ts'
import type { PageRequest } from '../src/kernel/page.ts'

/** A list as somebody reads it, in the tenant that `growthOf` fills. */
export interface GrowingList {
  title: string
  read(scope: Scope, request: PageRequest): Promise<unknown>
  /** What stands on a page of its own and not by ids has no deep end. */
  isPage?: true
  /** is looked for row by row, up to a bound */
  isSearch?: true
}

export const PAGE = 20
export const SOMEBODY = 1
const ONE = 1

export const GROWING_LISTS: GrowingList[] = [
  {
    title: 'tasks of a project',
    read: (scope, part) => listTasks(scope, { projectId: ONE }, part),
  },
  { title: 'comments of a task', read: (scope, part) => listComments(scope, { taskId: ONE }, part) },
  { title: 'projects of a member', read: (scope, part) => listProjects(scope, { memberId: SOMEBODY }, part) },
  { title: 'projects of all', read: (scope, part) => listProjects(scope, {}, part) },
  { title: 'approvals of a member', read: (scope, part) => listApprovals(scope, { viewerId: SOMEBODY }, part) },
  {
    title: 'approvals to decide',
    read: (scope, part) => listApprovals(scope, { approverId: SOMEBODY }, part),
  },
  { title: 'notifications', read: (scope, part) => listNotifications(scope, { receiverId: SOMEBODY }, part) },
  {
    title: 'notifications, read ones',
    isSearch: true,
    read: (scope, part) => listNotifications(scope, { receiverId: SOMEBODY, onlyRead: true }, part),
  },
  { title: 'audit', read: (scope, part) => listOperations(scope, {}, part) },
  { title: 'audit of a person', read: (scope, part) => listOperations(scope, { userId: SOMEBODY }, part) },
  { title: 'articles', isPage: true, read: (scope, part) => listArticles(scope, {}, part) },
  { title: 'the blog', isPage: true, read: (scope, part) => listArticles(scope, PUBLISHED, part) },
  { title: 'categories', read: (scope, part) => listCategories(scope, PUBLISHED, part) },
  { title: 'departments', isPage: true, read: (scope) => listDepartmentTree(scope, {}) },
  { title: 'people of a department', read: (scope, part) => listDepartmentMembers(scope, { departmentId: ONE }, part) },
  { title: 'users', isPage: true, read: (scope, part) => listUsers(scope, {}, part) },
  { title: 'directory', read: (scope, part) => listDirectory(scope, {}, part) },
  {
    title: 'search: tasks',
    isSearch: true,
    read: (scope, part) => listTasks(scope, { projectId: ONE, memberId: SOMEBODY, pattern: '%zzqq%' }, part),
  },
  {
    title: 'search: articles',
    isSearch: true,
    read: (scope, part) => listArticles(scope, { pattern: '%zzqq%' }, part),
  },
  {
    title: 'search: directory',
    isSearch: true,
    read: (scope, part) => listDirectory(scope, { pattern: '%zzqq%' }, part),
  },
  {
    title: 'search: audit',
    isSearch: true,
    read: (scope, part) => searchOperations(scope, { method: 'HEAD', success: null, pattern: null }, part),
  },
]

/** SQL that gives a tenant so many rows of everything; keys are right by construction. */
export function growthOf(tenant: number, rows: number): string {
  const t = tenant
  const series = `generate_series(1, ${rows}) n`
  return `
    begin;
    set local session_replication_role = replica;
    insert into tenants (id, name, code, plan) values (${t}, 'Growing', 'growing-${t}', 'x');
    insert into users (tenant_id, id, username, password_hash) select ${t}, n, 'user-' || n, '-' from ${series};
    insert into projects (tenant_id, id, name, code, owner_id, created_at, updated_at)
      select ${t}, n, 'Project ' || n, 'P' || n, ${SOMEBODY}, now(), now() from ${series};
    insert into project_members (tenant_id, project_id, user_id, created_at) select ${t}, n, ${SOMEBODY}, now() from ${series};
    insert into project_members (tenant_id, project_id, user_id, created_at)
      select ${t}, ${ONE}, n, now() from ${series} where n <> ${SOMEBODY};
    insert into tasks (tenant_id, id, project_id, title, description, reporter_id, created_at, updated_at)
      select ${t}, n, ${ONE}, 'Task ' || n, 'What is to be done', ${SOMEBODY}, now(), now() from ${series};
    insert into task_comments (tenant_id, id, task_id, author_id, content, created_at)
      select ${t}, n, ${ONE}, 1 + n % ${rows}, 'A few words', now() from ${series};
    insert into departments (tenant_id, id, name, code, leader_id, created_at, updated_at)
      values (${t}, ${ONE}, 'Department', 'D', ${SOMEBODY}, now(), now());
    insert into department_members (tenant_id, department_id, user_id, created_at) select ${t}, ${ONE}, n, now() from ${series};
    insert into approvals (tenant_id, id, type, title, applicant_id, department_id, department_name, status, current_step, payload, created_at, updated_at, submitted_at, completed_at)
      select ${t}, n, 'LEAVE', 'Request ' || n, case when n % 3 = 0 then ${SOMEBODY} else 1 + n % ${rows} end, ${ONE}, 'Department',
             'APPROVED', 0, '{}', now(), now(), now(), now() from ${series};
    insert into approval_steps (tenant_id, id, approval_id, step_order, approver_type, approver_id, status, acted_by, acted_at)
      select ${t}, n, n, 1, 'DEPARTMENT_MANAGER', case when n % 3 = 1 then ${SOMEBODY} else 1 + n % ${rows} end, 'APPROVED',
             case when n % 3 < 2 then ${SOMEBODY} else 1 + n % ${rows} end, now() from ${series};
    insert into notifications (tenant_id, id, receiver_id, event_id, type, title, read_at, created_at)
      select ${t}, n, ${SOMEBODY}, n, 'TASK_ASSIGNED', 'x', case when n % 100 > 0 then now() end, now() from ${series};
    insert into audit_operations (tenant_id, request_id, user_id, username, method, path, route, status, duration, ip, user_agent, created_at)
      select ${t}, 'r-' || n, case when n % 2 = 0 then ${SOMEBODY} else 2 end, 'somebody', 'PUT', '/api/v1/tasks/' || n, '/api/v1/tasks/:id', 200, 1, '10.0.0.1', 'x',
             now() - interval '200 days' + n * interval '1 second' from ${series};
    insert into categories (tenant_id, id, name, slug, created_at, updated_at)
      select ${t}, n, 'Category ' || n, 'c' || n, now(), now() from generate_series(1, 8) n;
    insert into articles (tenant_id, id, title, author, category_id, content, date, status, summary, created_at, updated_at)
      select ${t}, n, 'Article ' || n, 'Author', 1 + n % 8, array['word'], date '2020-01-01' + n % 2000, 'published', 'x', now(), now() from ${series};
    commit;
    vacuum (analyze)`
}
