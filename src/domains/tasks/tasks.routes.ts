import { arrayQuery, type DomainRoutes, faults, IdParams, pageRequestOf, z } from '#atrium'
import { projectFaults, projectsSeenBy } from '#atrium/projects'
import { binRoutes } from './bin/bin.routes.ts'
import { taskCommentRoutes } from './comments/task-comments.routes.ts'
import { taskListRoutes } from './lists.routes.ts'
import { withName, withNames } from './task-names.ts'
import { createTask, updateTask, updateTasks } from './tasks.actions.ts'
import { taskFaults } from './tasks.rules.ts'
import { TaskActivityView, TaskDraft, TaskPatch, TasksPatch, TaskView } from './tasks.schemas.ts'
import { getTask, listTaskActivities } from './tasks.store.ts'

const { assigneeNotMember, finished, illegalMove, changed } = taskFaults
const changeRefused = [projectFaults.readOnly, assigneeNotMember, finished, illegalMove, changed]

/** Tasks, their comments and their history: the reference domain. */
export const taskRoutes: DomainRoutes = async (app, { config }) => {
  await app.register(taskListRoutes)
  await app.register(binRoutes)

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
        refuses: [taskFaults.assigneeNotMember, projectFaults.readOnly, projectFaults.archived, faults.notInTenant],
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
        refuses: changeRefused,
      },
    },
    async (req, reply) => {
      const patch = { ...req.body, ifMatch: req.ifMatch }
      return reply.versioned(
        await req.transact(async (tx) => withName(req, await updateTask(tx, req.params.id, patch))),
      )
    },
  )

  app.post(
    '/tasks/bulk',
    {
      config: { access: 'task:update' },
      schema: {
        operationId: 'updateTasks',
        summary: 'Update several tasks',
        description:
          'Up to 100 tasks of any projects, each named once with the version that was read: all of them or none. Each change is recorded and notified as if it was made alone. The first that is refused is the answer; `path` of its details names its place, such as `tasks[3].version`. The answer has the tasks in the order of the request.',
        body: TasksPatch,
        response: { 200: z.array(TaskView) },
        refuses: [taskFaults.notFound, ...changeRefused],
      },
    },
    (req) => req.transact(async (tx) => withNames(req, await updateTasks(tx, req.body.tasks))),
  )

  await app.register(taskCommentRoutes, { config })

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
