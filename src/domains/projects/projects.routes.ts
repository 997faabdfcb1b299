import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { arrayQuery, containing, faults, IdParams, pageRequestOf, quotaFaults, z } from '#atrium'
import { memberRoutes } from './members/members.routes.ts'
import { archiveProject, createProject, unarchiveProject, updateProject } from './projects.actions.ts'
import { projectFaults } from './projects.rules.ts'
import {
  ProjectActivityView,
  ProjectDraft,
  ProjectPatch,
  ProjectQuery,
  ProjectView,
  VersionQuery,
} from './projects.schemas.ts'
import {
  getProject,
  getVisibleProject,
  listProjectActivities,
  listProjects,
  MOST_MEMBERS_LISTED,
  projectsSeenBy,
  projectsViewedBy,
} from './projects.store.ts'

const { archived, changed, codeTaken, dateOrder, notArchived, notOwner, readOnly, userNotFound } = projectFaults

/** Projects and their members. People see the projects that they are members of; administrators see all. */
export const projectRoutes: FastifyPluginAsyncZod = async (app) => {
  await app.register(memberRoutes)

  app.get(
    '/projects',
    {
      config: { access: 'project:list', list: 'projects' },
      schema: {
        operationId: 'listProjects',
        summary: 'List my projects',
        description:
          'The projects of which the caller is a member; administrators see all. Newest first. Each has its first 100 `memberIds`, in a table too; reading a single project returns all of them.',
        querystring: ProjectQuery,
        response: { 200: z.array(ProjectView) },
      },
    },
    async (req, reply) => {
      const { status, keyword } = req.query
      const filter = { ...projectsViewedBy(req.user), status, pattern: keyword && containing(keyword) }
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
        description: 'A project of which the caller is not a member is a 404, except for administrators.',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: ProjectView },
      },
    },
    async (req, reply) =>
      reply.versioned(await getProject(req.scope, { id: req.params.id, ...projectsViewedBy(req.user) })),
  )

  app.get(
    '/projects/:id/activities',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listProjectActivities',
        summary: 'Read the history of a project',
        description: 'Newest first.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(ProjectActivityView) },
      },
    },
    async (req, reply) => {
      const projectId = req.params.id
      const [, activities] = await Promise.all([
        getVisibleProject(req.scope, { id: projectId, ...projectsSeenBy(req.user) }),
        listProjectActivities(req.scope, { projectId }, pageRequestOf(req.query)),
      ])
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
        description: 'The creator becomes owner and member. Needs an Idempotency-Key that no other command uses.',
        body: ProjectDraft,
        response: { 201: ProjectView },
        sends: ['Location'],
        refuses: [dateOrder, codeTaken, quotaFaults.exceeded, faults.notInTenant],
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
          'Omitted fields stay. `version` is the version that was read; it rises by 1. An archived project can only be given another owner. Only the owner and holders of `project:manage` may change the name or the owner.',
        params: IdParams,
        body: ProjectPatch,
        response: { 200: ProjectView },
        refuses: [userNotFound, readOnly, notOwner, dateOrder, archived, changed],
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
          'Only by its owner and by holders of `project:manage`. `version` is the version that was read; it rises by 1. An archived project accepts no new tasks and no changes of its members.',
        params: IdParams,
        querystring: VersionQuery,
        response: { 200: ProjectView },
        refuses: [readOnly, notOwner, archived, changed],
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
          'Only by its owner and by holders of `project:manage`. `version` is the version that was read; it rises by 1.',
        params: IdParams,
        querystring: VersionQuery,
        response: { 200: ProjectView },
        refuses: [readOnly, notOwner, notArchived, quotaFaults.exceeded, changed],
      },
    },
    async (req, reply) => {
      const expected = { ...req.query, ifMatch: req.ifMatch }
      return reply.versioned(await req.transact((tx) => unarchiveProject(tx, req.params.id, expected)))
    },
  )
}
