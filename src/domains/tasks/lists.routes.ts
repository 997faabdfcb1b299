import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type FastifyRequest, IdParams, pageRequestOf, z } from '#atrium'
import { getVisibleProject, projectsSeenBy } from '#atrium/projects'
import { choiceOf } from './lists.rules.ts'
import { listAssignedTasks, listBin, listSeenTasks, listTasks, searchSeenTasks } from './lists.store.ts'
import { withNames } from './task-names.ts'
import { ListedTaskView, SeenTaskQuery, TaskQuery, TaskView } from './tasks.schemas.ts'

const ORDERS = 'With `sort`, ties follow by id, and tasks without a due date come last.'

/** Lists of tasks: of one project, and of all projects that one sees. */
export const taskListRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/projects/:id/tasks',
    {
      config: { access: 'project:list', list: 'tasks' },
      schema: {
        operationId: 'listTasks',
        summary: 'List the tasks of a project',
        description: `Newest first. ${ORDERS} \`deleted=true\` lists the bin of the project.`,
        params: IdParams,
        querystring: TaskQuery,
        response: { 200: z.array(ListedTaskView) },
      },
    },
    async (req, reply) => {
      const { status, priority, assigneeId, keyword, deleted, sort } = req.query
      const project = { ...projectsSeenBy(req.user), projectId: req.params.id }
      const choice = choiceOf({
        status: status && [status],
        priority: priority && [priority],
        assigneeId,
        keyword,
        ...(!deleted && { sort }),
      })
      const tasks = await (deleted ? listBin : listTasks)(
        req.scope,
        { ...project, ...choice },
        pageRequestOf(req.query),
      )
      // An empty list may mean that the caller may not see the project.
      if (tasks.rows.length === 0)
        await getVisibleProject(req.scope, { id: req.params.id, ...projectsSeenBy(req.user) })
      return reply.list({ ...tasks, rows: await withNames(req, tasks.rows) })
    },
  )

  app.get(
    '/tasks',
    {
      config: { access: 'project:list', list: 'tasks' },
      schema: {
        operationId: 'listAllTasks',
        summary: 'List the tasks of all my projects',
        description: `The tasks of every project that the caller sees, newest first. \`assigneeId=me&status=TODO,IN_PROGRESS,BLOCKED&sort=dueDate\` is the caller's own work. ${ORDERS}`,
        querystring: SeenTaskQuery,
        response: { 200: z.array(TaskView) },
      },
    },
    async (req, reply) => {
      const tasks = await listOf(req as never)
      return reply.list({ ...tasks, rows: await withNames(req, tasks.rows) })
    },
  )
}

/** Chooses the statement by what an index serves best: a project, a person, or all projects. */
function listOf(req: FastifyRequest & { query: z.output<typeof SeenTaskQuery> }) {
  const { assigneeId, projectId, limit, ...query } = req.query
  const { page, pageSize = limit, before, after, behind, ...filters } = query
  const request = { ...pageRequestOf({ ...query, pageSize }), counted: (page ?? query.pageSize) !== undefined }
  const seen = projectsSeenBy(req.user)
  const person = assigneeId === 'me' ? req.user.id : assigneeId
  if (projectId !== undefined)
    return listTasks(req.scope, { ...seen, projectId, ...choiceOf({ ...filters, assigneeId: person }) }, request)
  const choice = choiceOf(filters)
  if (person !== undefined) return listAssignedTasks(req.scope, { ...seen, ofId: person, ...choice }, request)
  // A search walks the tasks of the tenant; without filters, the newest of each project are found faster.
  const isSearch = seen.memberId === undefined || choice.statuses !== undefined
  if (isSearch && /^-?id$/.test(filters.sort ?? 'id'))
    return searchSeenTasks(req.scope, { ...seen, ...choice }, request)
  return listSeenTasks(req.scope, { ...seen, ...choice }, request)
}
