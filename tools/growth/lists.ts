import { seesEverything } from '../../src/atrium/visibility.ts'
import { approvalsSeenBy, listApprovals } from '../../src/domains/approvals/approvals.store.ts'
import { listOperations, listSettled, searchOperations } from '../../src/domains/audit/audit.store.ts'
import { listOrders, ordersSeenBy } from '../../src/domains/checkout/checkout.store.ts'
import { listAllComments, listPublishedComments } from '../../src/domains/comments/comments.store.ts'
import { listCategories } from '../../src/domains/content/categories.store.ts'
import { articlesSeenBy, listArticles, PUBLISHED } from '../../src/domains/content/content.store.ts'
import { listPosts } from '../../src/domains/content/posts.store.ts'
import { filesSeenBy } from '../../src/domains/files/files.rules.ts'
import { listFiles, listFilesOf } from '../../src/domains/files/files.store.ts'
import { listNotifications } from '../../src/domains/notifications/notifications.store.ts'
import { listDepartmentMembers, listDepartmentTree } from '../../src/domains/organization/organization.store.ts'
import { listDirectory } from '../../src/domains/people/people.store.ts'
import { listContactMessages } from '../../src/domains/portal/portal.store.ts'
import {
  listProjectActivities,
  listProjects,
  projectsSeenBy,
  projectsViewedBy,
} from '../../src/domains/projects/projects.store.ts'
import { listComments } from '../../src/domains/tasks/comments/task-comments.store.ts'
import { choiceOf } from '../../src/domains/tasks/lists.rules.ts'
import {
  listAssignedTasks,
  listBin,
  listSeenTasks,
  listTasks,
  searchSeenTasks,
} from '../../src/domains/tasks/lists.store.ts'
import { listTaskActivities } from '../../src/domains/tasks/tasks.store.ts'
import { listUsers } from '../../src/domains/users/users.store.ts'
import { defaultsOfPlugins } from '../of-plugins.ts'
import { type GrowingList, list, PAGE, page, search } from './list.ts'
import { LONG_AGO, NOBODY, ONE, SOMEBODY, SOMEBODY_ELSE } from './rows.ts'

const NOTHING_LIKE_IT = '%zzqq%'
const SETTLED = { upTo: Number.MAX_SAFE_INTEGER, most: PAGE }
const everything = { method: null, requestId: null, success: null, pattern: null }

const ALL = seesEverything('an administrator sees them all')
const member = (id: number) => ({ id, isAdministrator: false })
const ALL_PROJECTS = projectsViewedBy({ ...member(SOMEBODY), isAdministrator: true })
const reader = (id: number) => ({
  ...member(id),
  permissions: new Set(['project:list'] as const),
  selfRegistered: false,
})

/** "of one with few": the owner of the oldest five of all rows; "of one with none": the owner of none. */
const OF_THE_CORE: GrowingList[] = [
  page('people', 'users', (scope, part) => listUsers(scope, {}, part)),
  page('people', 'users by name', (scope, part) => listUsers(scope, {}, { ...part, sort: 'username' })),
  list('people', 'directory', (scope, part) => listDirectory(scope, {}, part)),
  list('people', 'people of a department', (scope, part) => listDepartmentMembers(scope, { departmentId: ONE }, part)),
  page('people', 'departments', (scope) => listDepartmentTree(scope, {})),
  page('people', 'a project of everybody', (scope, part) => listProjects(scope, ALL_PROJECTS, part)),
  search('people', 'search: users', (scope, part) => listUsers(scope, { pattern: NOTHING_LIKE_IT }, part)),
  search('people', 'search: users of a role', (scope, part) => listUsers(scope, { roleId: ONE }, part)),
  search('people', 'search: directory', (scope, part) => listDirectory(scope, { pattern: NOTHING_LIKE_IT }, part)),

  list('projects', 'projects of a member', (scope, part) =>
    listProjects(scope, projectsViewedBy(member(SOMEBODY)), part),
  ),
  list('projects', 'projects of one with few', (scope, part) =>
    listProjects(scope, projectsViewedBy(member(SOMEBODY_ELSE)), part),
  ),
  list('projects', 'projects of one with none', (scope, part) =>
    listProjects(scope, projectsViewedBy(member(NOBODY)), part),
  ),
  list('projects', 'projects of all', (scope, part) => listProjects(scope, ALL_PROJECTS, part)),
  page('projects', 'projects of all by code', (scope, part) =>
    listProjects(scope, ALL_PROJECTS, { ...part, sort: 'code' }),
  ),
  search('projects', 'search: archived projects', (scope, part) =>
    listProjects(scope, { ...projectsViewedBy(member(SOMEBODY)), status: 'ARCHIVED' }, part),
  ),
  search('projects', 'search: projects', (scope, part) =>
    listProjects(scope, { ...ALL_PROJECTS, pattern: NOTHING_LIKE_IT }, part),
  ),

  list('tasks', 'tasks of a project', (scope, part) =>
    listTasks(scope, { ...projectsSeenBy(member(SOMEBODY_ELSE)), projectId: ONE }, part),
  ),
  page('tasks', 'tasks of a project by due date', (scope, part) =>
    listTasks(scope, { ...projectsSeenBy(member(SOMEBODY_ELSE)), projectId: ONE }, { ...part, sort: 'dueDate' }),
  ),
  page('tasks', 'open tasks of a project by due date, the last first', (scope, part) => {
    const sort = '-dueDate'
    const open = choiceOf({ sort, status: ['TODO', 'IN_PROGRESS', 'BLOCKED'] })
    return listTasks(scope, { ...projectsSeenBy(member(SOMEBODY_ELSE)), projectId: ONE, ...open }, { ...part, sort })
  }),
  page('tasks', 'tasks of a project by priority', (scope, part) =>
    listTasks(scope, { ...projectsSeenBy(member(SOMEBODY_ELSE)), projectId: ONE }, { ...part, sort: '-priority' }),
  ),
  page('tasks', 'tasks of a project by change', (scope, part) =>
    listTasks(scope, { ...projectsSeenBy(member(SOMEBODY_ELSE)), projectId: ONE }, { ...part, sort: '-updatedAt' }),
  ),
  page('tasks', 'tasks of a project by title', (scope, part) =>
    listTasks(scope, { ...projectsSeenBy(member(SOMEBODY_ELSE)), projectId: ONE }, { ...part, sort: 'title' }),
  ),
  list('tasks', 'the bin of a project', (scope, part) =>
    listBin(scope, { ...projectsSeenBy(member(SOMEBODY_ELSE)), projectId: ONE }, part),
  ),
  list('tasks', 'tasks of all', (scope, part) => searchSeenTasks(scope, ALL, part)),
  list('tasks', 'tasks of all projects of a member', (scope, part) =>
    listSeenTasks(scope, projectsSeenBy(member(SOMEBODY_ELSE)), part),
  ),
  page('tasks', 'tasks of all projects of a member by due date', (scope, part) =>
    listSeenTasks(scope, projectsSeenBy(member(SOMEBODY_ELSE)), { ...part, sort: 'dueDate' }),
  ),
  search('tasks', 'search: tasks of all projects by change', (scope, part) =>
    listSeenTasks(scope, ALL, { ...part, sort: '-updatedAt' }),
  ),
  page('tasks', 'tasks of one with many, by due date', (scope, part) =>
    listAssignedTasks(scope, { ...projectsSeenBy(member(SOMEBODY)), ofId: SOMEBODY }, { ...part, sort: 'dueDate' }),
  ),
  list('tasks', 'tasks of one with few', (scope, part) =>
    listAssignedTasks(scope, { ...projectsSeenBy(member(SOMEBODY_ELSE)), ofId: SOMEBODY_ELSE }, part),
  ),
  list('tasks', 'comments of a task', (scope, part) => listComments(scope, { taskId: ONE }, part)),
  list('tasks', 'history of a task', (scope, part) => listTaskActivities(scope, { taskId: ONE }, part)),
  list('tasks', 'history of a project', (scope, part) => listProjectActivities(scope, { projectId: ONE }, part)),
  search('tasks', 'search: tasks by status', (scope, part) =>
    listTasks(
      scope,
      { ...projectsSeenBy(member(SOMEBODY_ELSE)), projectId: ONE, ...choiceOf({ status: ['BLOCKED'] }) },
      part,
    ),
  ),
  search('tasks', 'search: tasks of a person', (scope, part) =>
    listTasks(
      scope,
      { ...projectsSeenBy(member(SOMEBODY_ELSE)), projectId: ONE, ...choiceOf({ assigneeId: SOMEBODY_ELSE }) },
      part,
    ),
  ),
  search('tasks', 'search: tasks of all projects by status', (scope, part) =>
    searchSeenTasks(scope, { ...projectsSeenBy(member(SOMEBODY_ELSE)), ...choiceOf({ status: ['CANCELLED'] }) }, part),
  ),
  search('tasks', 'search: tasks', (scope, part) =>
    listTasks(scope, { ...projectsSeenBy(member(SOMEBODY_ELSE)), projectId: ONE, pattern: NOTHING_LIKE_IT }, part),
  ),

  list('approvals', 'approvals of a member', (scope, part) =>
    listApprovals(scope, approvalsSeenBy(member(SOMEBODY)), part),
  ),
  list('approvals', 'approvals of one with few', (scope, part) =>
    listApprovals(scope, approvalsSeenBy(member(SOMEBODY_ELSE)), part),
  ),
  list('approvals', "a member's own", (scope, part) => listApprovals(scope, { ...ALL, applicantId: SOMEBODY }, part)),
  list('approvals', 'approvals of all', (scope, part) => listApprovals(scope, ALL, part)),
  list('approvals', 'to decide of one with many', (scope, part) =>
    listApprovals(scope, { ...ALL, approverId: SOMEBODY }, part),
  ),
  list('approvals', 'to decide of one with few', (scope, part) =>
    listApprovals(scope, { ...ALL, approverId: SOMEBODY_ELSE }, part),
  ),
  list('approvals', 'to decide of one with none', (scope, part) =>
    listApprovals(scope, { ...ALL, approverId: NOBODY }, part),
  ),
  search('approvals', 'search: to decide of an administrator', (scope, part) =>
    listApprovals(scope, { ...ALL, approverId: NOBODY, orAdministrators: true }, part),
  ),
  search('approvals', 'search: approvals by status', (scope, part) =>
    listApprovals(scope, { ...approvalsSeenBy(member(SOMEBODY)), status: 'REJECTED' }, part),
  ),

  list('notifications', 'notifications', (scope, part) => listNotifications(scope, { receiverId: SOMEBODY }, part)),
  list('notifications', 'unread notifications', (scope, part) =>
    listNotifications(scope, { receiverId: SOMEBODY, onlyUnread: true }, part),
  ),
  list('notifications', 'notifications of one with few', (scope, part) =>
    listNotifications(scope, { receiverId: SOMEBODY_ELSE }, part),
  ),
  search('notifications', 'search: read notifications', (scope, part) =>
    listNotifications(scope, { receiverId: SOMEBODY, onlyRead: true }, part),
  ),

  list('audit', 'audit', (scope, part) => listOperations(scope, {}, part)),
  list('audit', 'audit of a person', (scope, part) => listOperations(scope, { userId: SOMEBODY }, part)),
  list('audit', 'audit of one with few', (scope, part) => listOperations(scope, { userId: SOMEBODY_ELSE }, part)),
  list('audit', 'audit of refusals', (scope, part) => listOperations(scope, { refusal: 403 }, part)),
  list('audit', 'audit of a minute long ago', (scope, part) => listOperations(scope, LONG_AGO, part)),
  list('audit', 'audit of a person at that minute', (scope, part) =>
    listOperations(scope, { ...LONG_AGO, userId: SOMEBODY }, part),
  ),
  list('audit', 'audit of a person until then', (scope, part) =>
    listOperations(scope, { to: LONG_AGO.to, userId: SOMEBODY }, part),
  ),
  list('audit', "audit of a person's refusals", (scope, part) =>
    listOperations(scope, { userId: SOMEBODY, refusal: 403 }, part),
  ),
  search('audit', 'search: audit by method', (scope, part) =>
    searchOperations(scope, { ...everything, method: 'HEAD' }, part),
  ),
  search('audit', 'search: audit of one by path', (scope, part) =>
    searchOperations(scope, { ...everything, userId: SOMEBODY, pattern: '/nothing%' }, part),
  ),

  page('audit', 'audit as a stream, from the beginning', (scope) => listSettled(scope, { after: 0, ...SETTLED })),
  page('audit', 'audit as a stream, from the middle', (scope) => listSettled(scope, { after: 5000, ...SETTLED })),

  page('content', 'articles', (scope, part) => listArticles(scope, ALL, part)),
  page('content', 'the blog', (scope, part) => listPosts(scope, {}, part)),
  page('content', 'the blog in a category', (scope, part) => listPosts(scope, { category: 'Category 3' }, part)),
  page('content', 'drafts', (scope, part) => listArticles(scope, { ...ALL, status: 'draft' }, part)),
  page('content', 'drafts in a category', (scope, part) =>
    listArticles(scope, { ...ALL, status: 'draft', categoryId: 3 }, part),
  ),
  page('content', 'articles as a writer sees them', (scope, part) =>
    listArticles(scope, articlesSeenBy({ id: SOMEBODY_ELSE, permissions: new Set(['content:create']) }), part),
  ),
  list('content', 'categories', (scope, part) => listCategories(scope, PUBLISHED, part)),
  list('content', 'comments on a post', (scope, part) => listPublishedComments(scope, { articleId: ONE }, part)),
  list('content', 'comments to moderate', (scope, part) => listAllComments(scope, {}, part)),
  list('content', 'hidden comments', (scope, part) => listAllComments(scope, { status: 'hidden' }, part)),
  search('content', 'search: articles', (scope, part) =>
    listArticles(scope, { ...ALL, pattern: NOTHING_LIKE_IT }, part),
  ),

  list('papers', 'files', (scope, part) => listFiles(scope, ALL, part)),
  search('papers', 'search: files that a member sees', (scope, part) =>
    listFiles(scope, filesSeenBy(reader(NOBODY)), part),
  ),
  list('papers', 'files of a task', (scope, part) =>
    listFilesOf(scope, { ...filesSeenBy(reader(SOMEBODY_ELSE)), resourceType: 'task', resourceId: ONE }, part),
  ),
  search('papers', "a person's files", (scope, part) =>
    listFiles(
      scope,
      filesSeenBy({ id: SOMEBODY, permissions: new Set(), isAdministrator: false, selfRegistered: true }),
      part,
    ),
  ),
  search('papers', 'files of one with few', (scope, part) =>
    listFiles(
      scope,
      filesSeenBy({ id: SOMEBODY_ELSE, permissions: new Set(), isAdministrator: false, selfRegistered: true }),
      part,
    ),
  ),
  list('papers', 'orders', (scope, part) => listOrders(scope, ALL, part)),
  list('papers', "a person's orders", (scope, part) =>
    listOrders(scope, ordersSeenBy({ id: SOMEBODY, permissions: new Set() }), part),
  ),
  list('papers', 'orders of one with few', (scope, part) =>
    listOrders(scope, ordersSeenBy({ id: SOMEBODY_ELSE, permissions: new Set() }), part),
  ),
  list('papers', 'messages of visitors', (scope, part) => listContactMessages(scope, {}, part)),
]

/** The default export of `growth.ts` in the folder of a plug-in. */
const ofPlugins = await defaultsOfPlugins<GrowingList[]>('growth.ts')

export const GROWING_LISTS: readonly GrowingList[] = [...OF_THE_CORE, ...ofPlugins.flat()]
