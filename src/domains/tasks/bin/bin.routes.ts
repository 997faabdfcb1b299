import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { IdParams, z } from '#atrium'
import { projectFaults, VersionQuery } from '#atrium/projects'
import { withName } from '../task-names.ts'
import { taskFaults } from '../tasks.rules.ts'
import { TaskView } from '../tasks.schemas.ts'
import { deleteTask, restoreTask } from './bin.actions.ts'
import { binFaults, DELETED } from './bin.rules.ts'

const WHO = 'Only by its reporter, by the owner of its project and by holders of `project:manage`.'
const MEETINGS = Object.entries(DELETED).map(([what, happens]) => `| ${what} | ${happens} |`)

/** Deleting tasks, and restoring them. */
export const binRoutes: FastifyPluginAsyncZod = async (app) => {
  app.delete(
    '/tasks/:id',
    {
      config: { access: 'task:update', versionIn: 'query' },
      schema: {
        operationId: 'deleteTask',
        summary: 'Delete a task',
        description: `${WHO} It can be restored for 30 days.\n\n${['| Of a deleted task | |', '| --- | --- |', ...MEETINGS].join('\n')}`,
        params: IdParams,
        querystring: VersionQuery,
        response: { 200: z.null() },
        refuses: [projectFaults.readOnly, binFaults.notOwner, projectFaults.archived, taskFaults.changed],
      },
    },
    (req) => {
      const expected = { ...req.query, ifMatch: req.ifMatch }
      return req.transact((tx) => deleteTask(tx, req.params.id, expected)).then(() => null)
    },
  )

  app.post(
    '/tasks/:id/restore',
    {
      config: { access: 'task:update', versionIn: 'nowhere' },
      schema: {
        operationId: 'restoreTask',
        summary: 'Restore a deleted task',
        description: `${WHO} Its version rises by 1. An assignee who may not have it any more is taken off.`,
        params: IdParams,
        response: { 200: TaskView },
        refuses: [projectFaults.readOnly, binFaults.notOwner, binFaults.notDeleted, projectFaults.archived],
      },
    },
    async (req, reply) =>
      reply.versioned(await req.transact(async (tx) => withName(req, await restoreTask(tx, req.params.id, req)))),
  )
}
