import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { arrayQuery, fail, IdParams, pageRequestOf, z } from '#atrium'
import {
  assignToDepartment,
  createDepartment,
  deleteDepartment,
  removeFromDepartment,
  updateDepartment,
  updateOrganization,
} from './organization.actions.ts'
import { departmentState, growTree, organizationFaults, organizationState } from './organization.rules.ts'
import {
  DepartmentDraft,
  DepartmentMemberParams,
  DepartmentMemberView,
  DepartmentView,
  OrganizationPatch,
  OrganizationView,
} from './organization.schemas.ts'
import {
  findDepartment,
  findDepartmentView,
  findOrganization,
  listDepartmentMembers,
  listDepartmentTree,
  MOST_MEMBERS_COUNTED,
} from './organization.store.ts'

const MOST_MEMBERS = 1000

/** The tenant's organization and its tree of departments. */
export const organizationRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/organizations/current',
    {
      config: { access: 'department:list' },
      schema: {
        operationId: 'getOrganization',
        summary: 'Read the organization',
        sends: ['ETag'],
        response: { 200: OrganizationView },
      },
    },
    async (req, reply) => {
      const organization = (await findOrganization(req.scope, {})) ?? fail(organizationFaults.notFound())
      return reply.fingerprinted(organization, organizationState(organization))
    },
  )

  app.put(
    '/organizations/:id',
    {
      config: { access: 'department:manage', versionIn: 'nowhere' },
      schema: {
        operationId: 'updateOrganization',
        summary: 'Update the organization',
        params: IdParams,
        body: OrganizationPatch,
        response: { 200: OrganizationView },
      },
    },
    async (req, reply) => {
      const organization = await req.transact((tx) => updateOrganization(tx, req.params.id, req.body, req))
      return reply.fingerprinted(organization, organizationState(organization))
    },
  )

  app.get(
    '/departments',
    {
      config: { access: 'department:list' },
      schema: {
        operationId: 'listDepartments',
        summary: 'Read the tree of departments',
        description: 'Each level in the order of `sort`, then of the id.',
        sends: ['X-Truncated'],
        response: { 200: z.array(DepartmentView) },
      },
    },
    async (req, reply) => {
      const rows = await listDepartmentTree(req.scope, {})
      if (rows.some(({ memberCount }) => memberCount > MOST_MEMBERS_COUNTED)) reply.truncated('memberCount')
      return growTree(rows.map((row) => ({ ...row, memberCount: Math.min(row.memberCount, MOST_MEMBERS_COUNTED) })))
    },
  )

  app.get(
    '/departments/:id',
    {
      config: { access: 'department:list' },
      schema: {
        operationId: 'getDepartment',
        summary: 'Read a department',
        description: 'Itself alone: `children` is empty, the tree is at `/departments`.',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: DepartmentView },
      },
    },
    async (req, reply) => {
      const found = await findDepartmentView(req.scope, { id: req.params.id })
      const department = found ?? fail(organizationFaults.departmentNotFound())
      return reply.fingerprinted({ ...department, children: [] }, departmentState(department))
    },
  )

  app.get(
    '/departments/:id/members',
    {
      config: { access: 'department:list' },
      schema: {
        operationId: 'listDepartmentMembers',
        summary: 'List the members of a department',
        description: 'By id.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(DepartmentMemberView) },
      },
    },
    async (req, reply) => {
      const { id } = req.params
      const [department, members] = await Promise.all([
        findDepartment(req.scope, { id }),
        listDepartmentMembers(req.scope, { departmentId: id }, pageRequestOf(req.query, MOST_MEMBERS)),
      ])
      return department ? reply.list(members) : fail(organizationFaults.departmentNotFound())
    },
  )

  app.post(
    '/departments',
    {
      config: { access: 'department:manage' },
      schema: {
        operationId: 'createDepartment',
        summary: 'Create a department',
        description: 'A leader becomes a member; whoever leads another department cannot.',
        body: DepartmentDraft,
        response: { 201: DepartmentView },
        sends: ['Location'],
        refuses: [
          organizationFaults.parentNotFound,
          organizationFaults.tooDeep,
          organizationFaults.memberIsLeader,
          organizationFaults.codeTaken,
        ],
      },
    },
    async (req, reply) => {
      const department = await req.transact((tx) => createDepartment(tx, req.body))
      return reply.created(
        `/departments/${department.id}`,
        reply.fingerprinted(department, departmentState(department)),
      )
    },
  )

  app.put(
    '/departments/:id',
    {
      config: { access: 'department:manage', versionIn: 'nowhere' },
      schema: {
        operationId: 'replaceDepartment',
        summary: 'Replace a department',
        description:
          'The whole form: a missing leaderId or parentId clears it. A new leader inherits waiting requests.',
        params: IdParams,
        body: DepartmentDraft,
        response: { 200: DepartmentView },
        refuses: [
          organizationFaults.cycle,
          organizationFaults.tooDeep,
          organizationFaults.memberIsLeader,
          organizationFaults.approvalsWaiting,
          organizationFaults.codeTaken,
        ],
      },
    },
    async (req, reply) => {
      const department = await req.transact((tx) => updateDepartment(tx, req.params.id, req.body, req))
      return reply.fingerprinted(department, departmentState(department))
    },
  )

  app.delete(
    '/departments/:id',
    {
      config: { access: 'department:manage', versionIn: 'nowhere' },
      schema: {
        operationId: 'deleteDepartment',
        summary: 'Delete a department',
        description: 'Only without children, members and pending requests; the refusal says which.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [organizationFaults.notEmpty],
      },
    },
    async (req) => {
      await req.transact((tx) => deleteDepartment(tx, req.params.id, req))
      return null
    },
  )

  app.put(
    '/departments/:id/members/:userId',
    {
      config: { access: 'department:manage' },
      schema: {
        operationId: 'assignDepartmentMember',
        summary: 'Assign a person to a department',
        description: 'Out of any other department: a person is in one at most. Twice is the same as once.',
        params: DepartmentMemberParams,
        response: { 200: z.null() },
        refuses: [organizationFaults.memberIsLeader],
      },
    },
    async (req) => {
      await req.transact((tx) => assignToDepartment(tx, req.params.id, req.params.userId))
      return null
    },
  )

  app.delete(
    '/departments/:id/members/:userId',
    {
      config: { access: 'department:manage' },
      schema: {
        operationId: 'removeDepartmentMember',
        summary: 'Remove a person from a department',
        description: 'Not while they lead it. Who is no member stays none.',
        params: DepartmentMemberParams,
        response: { 200: z.null() },
        refuses: [organizationFaults.memberIsLeader],
      },
    },
    async (req) => {
      await req.transact((tx) => removeFromDepartment(tx, req.params.id, req.params.userId))
      return null
    },
  )
}
