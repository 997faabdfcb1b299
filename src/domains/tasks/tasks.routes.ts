import {
  arrayQuery,
  containing,
  type DomainRoutes,
  type FastifyRequest,
  faults,
  IdParams,
  pageRequestOf,
  z,
} from '#atrium'
import { getVisibleProject, projectFaults, projectsSeenBy } from '#atrium/projects'
import { addComment, createTask, updateTask } from './tasks.actions.ts'
import { taskFaults } from './tasks.rules.ts'
import {
  CommentDraft,
  CommentView,
  type Task,
  TaskActivityView,
  TaskDraft,
  TaskPatch,
  TaskQuery,
  TaskView,
} from './tasks.schemas.ts'
import { getTask, listComments, listTaskActivities, listTasks } from './tasks.store.ts'

/** Tasks, their comments and their history: the reference domain. */
export const taskRoutes: DomainRoutes = async (app, { config }) => {
  const comments = { name: 'comment', most: config.commentLimit, windowMs: 60_000 }

  app.get(
    '/projects/:id/tasks',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listTasks',
        summary: 'List the tasks of a project',
        description: 'Newest first.',
        params: IdParams,
        querystring: TaskQuery,
        response: { 200: z.array(TaskView) },
      },
    },
    async (req, reply) => {
      const { status, priority, assigneeId, keyword } = req.query
      const project = { ...projectsSeenBy(req.user), projectId: req.params.id }
      const filter = { status, priority, assigneeId, pattern: keyword && containing(keyword) }
      const tasks = await listTasks(req.scope, { ...project, ...filter }, pageRequestOf(req.query))
      // An empty list may mean that the caller may not see the project.
      if (tasks.rows.length === 0)
        await getVisibleProject(req.scope, { id: req.params.id, ...projectsSeenBy(req.user) })
      return reply.list({ ...tasks, rows: await withNames(req, tasks.rows) })
    },
  )

  app.post(
    '/projects/:id/tasks',
    {
      config: { access: 'task:create', counts: 'task_created' },
      schema: {
        operationId: 'createTask',
        summary: 'Create a task',
        description: 'The assignee must be a member of the project, and gets a notification.',
        params: IdParams,
        body: TaskDraft,
        response: { 201: TaskView },
        sends: ['Location'],
        refuses: [taskFaults.assigneeNotMember, projectFaults.archived, faults.notInTenant],
      },
    },
    async (req, reply) => {
      const task = await req.transact(async (tx) => withName(req, await createTask(tx, req.params.id, req.body)))
      return reply.created(`/tasks/${task.id}`, reply.versioned(task))
    },
  )

  app.get(
    '/tasks/:id',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'getTask',
        summary: 'Read a task',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: TaskView },
      },
    },
    async (req, reply) => {
      const task = await getTask(req.scope, { id: req.params.id, ...projectsSeenBy(req.user) })
      return reply.versioned(await withName(req, task))
    },
  )

  app.put(
    '/tasks/:id',
    {
      config: { access: 'task:update', versionIn: 'body' },
      schema: {
        operationId: 'updateTask',
        summary: 'Update a task',
        description:
          'Omitted fields stay. A finished task cannot be changed. The status follows the table of transitions.',
        params: IdParams,
        body: TaskPatch,
        response: { 200: TaskView },
        refuses: [taskFaults.assigneeNotMember, taskFaults.finished, taskFaults.illegalMove, taskFaults.changed],
      },
    },
    async (req, reply) => {
      const patch = { ...req.body, ifMatch: req.ifMatch }
      return reply.versioned(
        await req.transact(async (tx) => withName(req, await updateTask(tx, req.params.id, patch))),
      )
    },
  )

  app.get(
    '/tasks/:id/comments',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listTaskComments',
        summary: 'Read the comments of a task',
        description: 'Oldest first. `before` returns the last ones before an id, and `Link` continues with older ones.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(CommentView) },
      },
    },
    async (req, reply) => {
      const taskId = req.params.id
      const [, comments] = await Promise.all([
        getTask(req.scope, { id: taskId, ...projectsSeenBy(req.user) }),
        listComments(req.scope, { taskId }, pageRequestOf(req.query)),
      ])
      return reply.list(comments)
    },
  )

  app.post(
    '/tasks/:id/comments',
    {
      config: { access: 'project:list', counts: 'task_commented', limit: comments },
      schema: {
        operationId: 'addTaskComment',
        summary: 'Comment on a task',
        description: 'The assignee and the reporter are notified. Finished tasks accept comments too.',
        params: IdParams,
        body: CommentDraft,
        response: { 201: CommentView },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [faults.notInTenant],
      },
    },
    (req) => req.transact((tx) => addComment(tx, req.params.id, req.body.content)),
  )

  app.get(
    '/tasks/:id/activities',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listTaskActivities',
        summary: 'Read the history of a task',
        description: 'Newest first: one row for each field that changed.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(TaskActivityView) },
      },
    },
    async (req, reply) => {
      const taskId = req.params.id
      const [, activities] = await Promise.all([
        getTask(req.scope, { id: taskId, ...projectsSeenBy(req.user) }),
        listTaskActivities(req.scope, { taskId }, pageRequestOf(req.query)),
      ])
      return reply.list(activities)
    },
  )
}

/** Call it before the commit: a failed read after it would report a finished command as failed. */
async function withName(req: FastifyRequest, task: Task): Promise<TaskView> {
  return (await withNames(req, [task]))[0]!
}

/** Adds the names of assignees and reporters. */
async function withNames(req: FastifyRequest, tasks: Task[]): Promise<TaskView[]> {
  const people = tasks.flatMap(({ assigneeId, reporterId }) => (assigneeId ? [assigneeId, reporterId] : reporterId))
  const names = await req.namesOf(people)
  return tasks.map((task) => ({
    ...task,
    assigneeName: task.assigneeId === null ? null : names.get(task.assigneeId)!,
    reporterName: names.get(task.reporterId)!,
  }))
}
