import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { arrayQuery, containing, fail, faults, IdParams, pageRequestOf, z } from '#atrium'
import {
  addMember,
  archiveProject,
  createProject,
  dropMember,
  unarchiveProject,
  updateProject,
} from './projects.actions.ts'
import { projectFaults } from './projects.rules.ts'
import {
  MemberParams,
  ProjectActivityView,
  ProjectDraft,
  ProjectPatch,
  ProjectQuery,
  ProjectView,
  VersionQuery,
} from './projects.schemas.ts'
import {
  findProject,
  findVisibleProject,
  listProjectActivities,
  listProjects,
  MOST_MEMBERS_LISTED,
  projectsSeenBy,
} from './projects.store.ts'

/** Projects and their members. People see the projects they are a member of; administrators all of the tenant's. */
export const projectRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/projects',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listProjects',
        summary: 'List my projects',
        description:
          'Those that I am a member of; for administrators, all of the tenant. Newest first. Of each the first 100 `memberIds`; the project by itself has them all.',
        querystring: ProjectQuery,
        response: { 200: z.array(ProjectView) },
      },
    },
    async (req, reply) => {
      const { status, keyword } = req.query
      const filter = {
        ...projectsSeenBy(req.user),
        ...(status && { status }),
        ...(keyword && { pattern: containing(keyword) }),
      }
      const projects = reply.list(await listProjects(req.scope, filter, pageRequestOf(req.query)))
      if (projects.some(({ memberIds }) => memberIds.length > MOST_MEMBERS_LISTED)) reply.truncated('memberIds')
      return projects.map((project) => ({ ...project, memberIds: project.memberIds.slice(0, MOST_MEMBERS_LISTED) }))
    },
  )

  app.get(
    '/projects/:id',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'getProject',
        summary: 'Read a project',
        description: 'One that I am no member of is not there, but for administrators.',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: ProjectView },
      },
    },
    async (req, reply) => {
      const project = await findProject(req.scope, { id: req.params.id, ...projectsSeenBy(req.user) })
      return project ? reply.versioned(project) : fail(projectFaults.notFound())
    },
  )

  app.get(
    '/projects/:id/activities',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listProjectActivities',
        summary: 'Read what happened to a project',
        description: 'Newest first.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(ProjectActivityView) },
      },
    },
    async (req, reply) => {
      const projectId = req.params.id
      const [project, activities] = await Promise.all([
        findVisibleProject(req.scope, { id: projectId, ...projectsSeenBy(req.user) }),
        listProjectActivities(req.scope, { projectId }, pageRequestOf(req.query)),
      ])
      if (!project) throw projectFaults.notFound()
      return reply.list(activities)
    },
  )

  app.post(
    '/projects',
    {
      config: { access: 'project:create', idempotent: true, counts: 'project_created' },
      schema: {
        operationId: 'createProject',
        summary: 'Create a project',
        description:
          'The creator becomes owner and member. Needs an Idempotency-Key, which a distinct command never shares.',
        body: ProjectDraft,
        response: { 201: ProjectView },
        sends: ['Location'],
        refuses: [projectFaults.dateOrder, projectFaults.codeTaken, faults.notInTenant],
      },
    },
    async (req, reply) => {
      const project = await req.transact((tx) => createProject(tx, req.body))
      return reply.created(`/projects/${project.id}`, reply.versioned(project))
    },
  )

  app.put(
    '/projects/:id',
    {
      config: { access: 'project:update', versionIn: 'body' },
      schema: {
        operationId: 'updateProject',
        summary: 'Update a project',
        description:
          'Fields left out stay. `version` is the one that was read, and rises by 1. An archived project does not change. A new name and a new owner are for the owner, and for holders of `project:manage`.',
        params: IdParams,
        body: ProjectPatch,
        response: { 200: ProjectView },
        refuses: [
          projectFaults.userNotFound,
          projectFaults.notOwner,
          projectFaults.dateOrder,
          projectFaults.archived,
          projectFaults.changed,
        ],
      },
    },
    async (req, reply) => {
      const patch = { ...req.body, ifMatch: req.ifMatch }
      return reply.versioned(await req.transact((tx) => updateProject(tx, req.params.id, patch)))
    },
  )

  app.put(
    '/projects/:id/archive',
    {
      config: { access: 'project:update', versionIn: 'query' },
      schema: {
        operationId: 'archiveProject',
        summary: 'Archive a project',
        description:
          'By its owner, and by holders of `project:manage`. `version` is the one that was read, and rises by 1. An archived project takes no new tasks and no change of its members.',
        params: IdParams,
        querystring: VersionQuery,
        response: { 200: ProjectView },
        refuses: [projectFaults.notOwner, projectFaults.archived, projectFaults.changed],
      },
    },
    async (req, reply) => {
      const expected = { ...req.query, ifMatch: req.ifMatch }
      return reply.versioned(await req.transact((tx) => archiveProject(tx, req.params.id, expected)))
    },
  )

  app.put(
    '/projects/:id/unarchive',
    {
      config: { access: 'project:update', versionIn: 'query' },
      schema: {
        operationId: 'unarchiveProject',
        summary: 'Open an archived project again',
        description:
          'By its owner, and by holders of `project:manage`. `version` is the one that was read, and rises by 1.',
        params: IdParams,
        querystring: VersionQuery,
        response: { 200: ProjectView },
        refuses: [projectFaults.notOwner, projectFaults.notArchived, projectFaults.changed],
      },
    },
    async (req, reply) => {
      const expected = { ...req.query, ifMatch: req.ifMatch }
      return reply.versioned(await req.transact((tx) => unarchiveProject(tx, req.params.id, expected)))
    },
  )

  app.put(
    '/projects/:id/members/:userId',
    {
      config: { access: 'project:update' },
      schema: {
        operationId: 'addProjectMember',
        summary: 'Add a member',
        description: 'An active user of the tenant, who is told. Twice is the same as once.',
        params: MemberParams,
        response: { 200: z.null() },
        refuses: [projectFaults.archived],
      },
    },
    async (req) => {
      await req.transact((tx) => addMember(tx, req.params.id, req.params.userId))
      return null
    },
  )

  app.delete(
    '/projects/:id/members/:userId',
    {
      config: { access: 'project:update' },
      schema: {
        operationId: 'removeProjectMember',
        summary: 'Remove a member',
        description:
          'Not the owner, and nobody who still has open tasks in it; the refusal names these. Who is no member stays none.',
        params: MemberParams,
        response: { 200: z.null() },
        refuses: [projectFaults.archived, projectFaults.ownerCannotLeave, projectFaults.memberHasOpenTasks],
      },
    },
    async (req) => {
      await req.transact((tx) => dropMember(tx, req.params.id, req.params.userId))
      return null
    },
  )
}
