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

const NOTHING_LIKE_IT = { pattern: '%zzqq%' }
const EVERY_OPERATION = { method: null, requestId: null, success: null, pattern: null }
const SETTLED = { upTo: Number.MAX_SAFE_INTEGER, most: PAGE }
const ALL = seesEverything('an administrator sees them all')

const member = (id: number) => ({ id, isAdministrator: false })
const ALL_PROJECTS = projectsViewedBy({ ...member(SOMEBODY), isAdministrator: true })
const PROJECTS = projectsViewedBy(member(SOMEBODY))
const SEEN = projectsSeenBy(member(SOMEBODY_ELSE))
const OF_PROJECT = { ...SEEN, projectId: ONE }
const OPEN_BY_DUE_DATE = choiceOf({ sort: '-dueDate', status: ['TODO', 'IN_PROGRESS', 'BLOCKED'] })
const DRAFTS = { ...ALL, status: 'draft' } as const
const WRITER = { id: SOMEBODY_ELSE, permissions: new Set(['content:create'] as const) }

const filesOf = (id: number) => filesSeenBy({ ...member(id), permissions: new Set(), selfRegistered: true })
const filesReadBy = (id: number) =>
  filesSeenBy({ ...member(id), permissions: new Set(['project:list'] as const), selfRegistered: false })
const ordersOf = (id: number) => ordersSeenBy({ id, permissions: new Set() })

/** "of one with few": the owner of the oldest five of all rows; "of one with none": the owner of none. */
const OF_THE_CORE: GrowingList[] = [
  page('people', 'users', listUsers, {}),
  page('people', 'users by name', listUsers, {}, { sort: 'username' }),
  list('people', 'directory', listDirectory, {}),
  list('people', 'people of a department', listDepartmentMembers, { departmentId: ONE }),
  page('people', 'departments', listDepartmentTree, {}),
  page('people', 'a project of everybody', listProjects, ALL_PROJECTS),
  search('people', 'search: users', listUsers, NOTHING_LIKE_IT),
  search('people', 'search: users of a role', listUsers, { roleId: ONE }),
  search('people', 'search: directory', listDirectory, NOTHING_LIKE_IT),

  list('projects', 'projects of a member', listProjects, PROJECTS),
  list('projects', 'projects of one with few', listProjects, projectsViewedBy(member(SOMEBODY_ELSE))),
  list('projects', 'projects of one with none', listProjects, projectsViewedBy(member(NOBODY))),
  list('projects', 'projects of all', listProjects, ALL_PROJECTS),
  page('projects', 'projects of all by code', listProjects, ALL_PROJECTS, { sort: 'code' }),
  search('projects', 'search: archived projects', listProjects, { ...PROJECTS, status: 'ARCHIVED' }),
  search('projects', 'search: projects', listProjects, { ...ALL_PROJECTS, ...NOTHING_LIKE_IT }),

  list('tasks', 'tasks of a project', listTasks, OF_PROJECT),
  page('tasks', 'tasks of a project by due date', listTasks, OF_PROJECT, { sort: 'dueDate' }),
  page(
    'tasks',
    'open tasks of a project by due date, the last first',
    listTasks,
    { ...OF_PROJECT, ...OPEN_BY_DUE_DATE },
    { sort: '-dueDate' },
  ),
  page('tasks', 'tasks of a project by priority', listTasks, OF_PROJECT, { sort: '-priority' }),
  page('tasks', 'tasks of a project by change', listTasks, OF_PROJECT, { sort: '-updatedAt' }),
  page('tasks', 'tasks of a project by title', listTasks, OF_PROJECT, { sort: 'title' }),
  list('tasks', 'the bin of a project', listBin, OF_PROJECT),
  list('tasks', 'tasks of all', searchSeenTasks, ALL),
  list('tasks', 'tasks of all projects of a member', listSeenTasks, SEEN),
  page('tasks', 'tasks of all projects of a member by due date', listSeenTasks, SEEN, { sort: 'dueDate' }),
  search('tasks', 'search: tasks of all projects by change', listSeenTasks, ALL, { sort: '-updatedAt' }),
  page(
    'tasks',
    'tasks of one with many, by due date',
    listAssignedTasks,
    { ...projectsSeenBy(member(SOMEBODY)), ofId: SOMEBODY },
    { sort: 'dueDate' },
  ),
  list('tasks', 'tasks of one with few', listAssignedTasks, { ...SEEN, ofId: SOMEBODY_ELSE }),
  list('tasks', 'comments of a task', listComments, { taskId: ONE }),
  list('tasks', 'history of a task', listTaskActivities, { taskId: ONE }),
  list('tasks', 'history of a project', listProjectActivities, { projectId: ONE }),
  search('tasks', 'search: tasks by status', listTasks, { ...OF_PROJECT, ...choiceOf({ status: ['BLOCKED'] }) }),
  search('tasks', 'search: tasks of a person', listTasks, {
    ...OF_PROJECT,
    ...choiceOf({ assigneeId: SOMEBODY_ELSE }),
  }),
  search('tasks', 'search: tasks of all projects by status', searchSeenTasks, {
    ...SEEN,
    ...choiceOf({ status: ['CANCELLED'] }),
  }),
  search('tasks', 'search: tasks', listTasks, { ...OF_PROJECT, ...NOTHING_LIKE_IT }),

  list('approvals', 'approvals of a member', listApprovals, approvalsSeenBy(member(SOMEBODY))),
  list('approvals', 'approvals of one with few', listApprovals, approvalsSeenBy(member(SOMEBODY_ELSE))),
  list('approvals', "a member's own", listApprovals, { ...ALL, applicantId: SOMEBODY }),
  list('approvals', 'approvals of all', listApprovals, ALL),
  list('approvals', 'to decide of one with many', listApprovals, { ...ALL, approverId: SOMEBODY }),
  list('approvals', 'to decide of one with few', listApprovals, { ...ALL, approverId: SOMEBODY_ELSE }),
  list('approvals', 'to decide of one with none', listApprovals, { ...ALL, approverId: NOBODY }),
  search('approvals', 'search: to decide of an administrator', listApprovals, {
    ...ALL,
    approverId: NOBODY,
    orAdministrators: true,
  }),
  search('approvals', 'search: approvals by status', listApprovals, {
    ...approvalsSeenBy(member(SOMEBODY)),
    status: 'REJECTED',
  }),

  list('notifications', 'notifications', listNotifications, { receiverId: SOMEBODY }),
  list('notifications', 'unread notifications', listNotifications, { receiverId: SOMEBODY, onlyUnread: true }),
  list('notifications', 'notifications of one with few', listNotifications, { receiverId: SOMEBODY_ELSE }),
  search('notifications', 'search: read notifications', listNotifications, { receiverId: SOMEBODY, onlyRead: true }),

  list('audit', 'audit', listOperations, {}),
  list('audit', 'audit of a person', listOperations, { userId: SOMEBODY }),
  list('audit', 'audit of one with few', listOperations, { userId: SOMEBODY_ELSE }),
  list('audit', 'audit of refusals', listOperations, { refusal: 403 }),
  list('audit', 'audit of a minute long ago', listOperations, LONG_AGO),
  list('audit', 'audit of a person at that minute', listOperations, { ...LONG_AGO, userId: SOMEBODY }),
  list('audit', 'audit of a person until then', listOperations, { to: LONG_AGO.to, userId: SOMEBODY }),
  list('audit', "audit of a person's refusals", listOperations, { userId: SOMEBODY, refusal: 403 }),
  search('audit', 'search: audit by method', searchOperations, { ...EVERY_OPERATION, method: 'HEAD' }),
  search('audit', 'search: audit of one by path', searchOperations, {
    ...EVERY_OPERATION,
    userId: SOMEBODY,
    pattern: '/nothing%',
  }),

  page('audit', 'audit as a stream, from the beginning', listSettled, { after: 0, ...SETTLED }),
  page('audit', 'audit as a stream, from the middle', listSettled, { after: 5000, ...SETTLED }),

  page('content', 'articles', listArticles, ALL),
  page('content', 'the blog', listPosts, {}),
  page('content', 'the blog in a category', listPosts, { category: 'Category 3' }),
  page('content', 'drafts', listArticles, DRAFTS),
  page('content', 'drafts in a category', listArticles, { ...DRAFTS, categoryId: 3 }),
  page('content', 'articles as a writer sees them', listArticles, articlesSeenBy(WRITER)),
  list('content', 'categories', listCategories, PUBLISHED),
  list('content', 'comments on a post', listPublishedComments, { articleId: ONE }),
  list('content', 'comments to moderate', listAllComments, {}),
  list('content', 'hidden comments', listAllComments, { status: 'hidden' }),
  search('content', 'search: articles', listArticles, { ...ALL, ...NOTHING_LIKE_IT }),

  list('papers', 'files', listFiles, ALL),
  search('papers', 'search: files that a member sees', listFiles, filesReadBy(NOBODY)),
  list('papers', 'files of a task', listFilesOf, {
    ...filesReadBy(SOMEBODY_ELSE),
    resourceType: 'task',
    resourceId: ONE,
  }),
  search('papers', "a person's files", listFiles, filesOf(SOMEBODY)),
  search('papers', 'files of one with few', listFiles, filesOf(SOMEBODY_ELSE)),
  list('papers', 'orders', listOrders, ALL),
  list('papers', "a person's orders", listOrders, ordersOf(SOMEBODY)),
  list('papers', 'orders of one with few', listOrders, ordersOf(SOMEBODY_ELSE)),
  list('papers', 'messages of visitors', listContactMessages, {}),
]

/** The default export of `growth.ts` in the folder of a plug-in. */
const ofPlugins = await defaultsOfPlugins<GrowingList[]>('growth.ts')

export const GROWING_LISTS: readonly GrowingList[] = [...OF_THE_CORE, ...ofPlugins.flat()]
