import { type DomainRoutes, faults, IdParams, pageRequestOf, z } from '#atrium'
import { projectsSeenBy } from '#atrium/projects'
import { getTask } from '#atrium/tasks'
import { unwatchProject, unwatchTask, watchProject, watchTask } from './watching.actions.ts'
import { WatchedView, WatcherView, WatchQuery } from './watching.schemas.ts'
import { listWatched, listWatchers } from './watching.store.ts'

/** Who watches what, each person for themselves. */
export const watchingRoutes: DomainRoutes = async (app) => {
  app.put(
    '/tasks/:id/watch',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'watchTask',
        summary: 'Watch a task',
        description:
          'From now on the caller is notified of its comments, and of changes of its status, its assignee and its due date (`TASK_CHANGED`). Repeating it changes nothing.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [faults.notInTenant],
      },
    },
    (req) => req.transact((tx) => watchTask(tx, req.params.id)),
  )

  app.delete(
    '/tasks/:id/watch',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'unwatchTask',
        summary: 'Watch a task no longer',
        description: 'Who watches its project is still notified. Repeating it changes nothing.',
        params: IdParams,
        response: { 200: z.null() },
      },
    },
    (req) => req.transact((tx) => unwatchTask(tx, req.params.id)),
  )

  app.get(
    '/tasks/:id/watchers',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listTaskWatchers',
        summary: 'List who watches a task',
        description: 'Those who watch the task itself and still see it, the first one first.',
        params: IdParams,
        querystring: WatchQuery,
        response: { 200: z.array(WatcherView) },
      },
    },
    async (req, reply) => {
      const taskId = req.params.id
      const [, watchers] = await Promise.all([
        getTask(req.scope, { id: taskId, ...projectsSeenBy(req.user) }),
        listWatchers(req.scope, { taskId }, pageRequestOf(req.query)),
      ])
      return reply.list(watchers)
    },
  )

  app.put(
    '/projects/:id/watch',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'watchProject',
        summary: 'Watch a project',
        description: 'The caller watches all of its tasks, future ones too. Repeating it changes nothing.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [faults.notInTenant],
      },
    },
    (req) => req.transact((tx) => watchProject(tx, req.params.id)),
  )

  app.delete(
    '/projects/:id/watch',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'unwatchProject',
        summary: 'Watch a project no longer',
        description: 'Tasks that the caller watches themselves stay watched. Repeating it changes nothing.',
        params: IdParams,
        response: { 200: z.null() },
      },
    },
    (req) => req.transact((tx) => unwatchProject(tx, req.params.id)),
  )

  app.get(
    '/users/me/watching',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listMyWatching',
        summary: 'List what I watch',
        description: 'Tasks and projects that the caller still sees, the latest first.',
        querystring: WatchQuery,
        response: { 200: z.array(WatchedView) },
      },
    },
    async (req, reply) => {
      const mine = { userId: req.user.id, ...projectsSeenBy(req.user) }
      return reply.list(await listWatched(req.scope, mine, pageRequestOf(req.query)))
    },
  )
}
