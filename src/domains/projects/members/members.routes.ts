import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { arrayQuery, IdParams, pageRequestOf, z } from '#atrium'
import { listMembers } from '../members.store.ts'
import { projectFaults } from '../projects.rules.ts'
import { MemberChange, MemberParams, MemberView } from '../projects.schemas.ts'
import { getVisibleProject, projectsSeenBy } from '../projects.store.ts'
import { dropMember, putMember } from './members.actions.ts'

const { archived, memberHasOpenTasks, ownerCannotLeave, ownerStaysMember, readOnly } = projectFaults

/** The members of projects. */
export const memberRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/projects/:id/members',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listProjectMembers',
        summary: 'List the members of a project',
        description: 'Members and viewers by their ids, for everyone who sees the project.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(MemberView) },
      },
    },
    async (req, reply) => {
      const [, members] = await Promise.all([
        getVisibleProject(req.scope, { id: req.params.id, ...projectsSeenBy(req.user) }),
        listMembers(req.scope, { projectId: req.params.id }, pageRequestOf(req.query)),
      ])
      return reply.list({ ...members, rows: members.rows.map(({ id: userId, ...member }) => ({ userId, ...member })) })
    },
  )

  app.put(
    '/projects/:id/members/:userId',
    {
      config: { access: 'project:update' },
      schema: {
        operationId: 'addProjectMember',
        summary: 'Add a member or a viewer',
        description:
          'The new member is an active user of the tenant and gets a notification. With another `role` a member becomes a viewer, or a viewer a member. A viewer reads the project and comments on its tasks; they change nothing and are assigned nothing, so the owner and members with open tasks cannot become viewers. Administrators and holders of `project:manage` lose nothing by being viewers. A viewer who takes over the project or one of its tasks becomes a member. Repeating it changes nothing.',
        params: MemberParams,
        body: MemberChange,
        response: { 200: z.null() },
        refuses: [readOnly, archived, ownerStaysMember, memberHasOpenTasks],
      },
    },
    (req) => req.transact((tx) => putMember(tx, req.params.id, req.params.userId, req.body?.role)).then(() => null),
  )

  app.delete(
    '/projects/:id/members/:userId',
    {
      config: { access: 'project:update' },
      schema: {
        operationId: 'removeProjectMember',
        summary: 'Remove a member',
        description:
          'The owner cannot be removed, and neither can a member with open tasks in the project; the refusal names the tasks. Removing somebody who is not a member changes nothing.',
        params: MemberParams,
        response: { 200: z.null() },
        refuses: [readOnly, archived, ownerCannotLeave, memberHasOpenTasks],
      },
    },
    (req) => req.transact((tx) => dropMember(tx, req.params.id, req.params.userId)).then(() => null),
  )
}
