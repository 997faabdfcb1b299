import { arrayQuery, type DomainRoutes, IdParams, pageRequestOf, z } from '#atrium'
import {
  assignToDepartment,
  createDepartment,
  deleteDepartment,
  removeFromDepartment,
  updateDepartment,
  updateOrganization,
} from './organization.actions.ts'
import { growTree, organizationFaults, organizationState } from './organization.rules.ts'
import {
  DepartmentDraft,
  DepartmentMemberParams,
  DepartmentMemberView,
  DepartmentPatch,
  DepartmentView,
  OrganizationPatch,
  OrganizationView,
} from './organization.schemas.ts'
import {
  getDepartment,
  getDepartmentView,
  getOrganization,
  listDepartmentMembers,
  listDepartmentTree,
  MOST_MEMBERS_COUNTED,
} from './organization.store.ts'

/** The tenant's organization and its tree of departments. */
export const organizationRoutes: DomainRoutes = async (app) => {
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
    async (req, reply) => reply.fingerprinted(await getOrganization(req.scope, {}), organizationState),
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
      return reply.fingerprinted(organization, organizationState)
    },
  )

  app.get(
    '/departments',
    {
      config: { access: 'department:list' },
      schema: {
        operationId: 'listDepartments',
        summary: 'Read the tree of departments',
        description: 'Each level is ordered by `sort`, then by id.',
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
        description: 'Only the department itself: `children` is empty. `/departments` has the tree.',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: DepartmentView },
      },
    },
    async (req, reply) =>
      reply.versioned({ ...(await getDepartmentView(req.scope, { id: req.params.id })), children: [] }),
  )

  app.get(
    '/departments/:id/members',
    {
      config: { access: 'department:list' },
      schema: {
        operationId: 'listDepartmentMembers',
        summary: 'List the members of a department',
        description: 'Ordered by id.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(DepartmentMemberView) },
      },
    },
    async (req, reply) => {
      const { id } = req.params
      const [, members] = await Promise.all([
        getDepartment(req.scope, { id }),
        listDepartmentMembers(req.scope, { departmentId: id }, pageRequestOf(req.query)),
      ])
      return reply.list(members)
    },
  )

  app.post(
    '/departments',
    {
      config: { access: 'department:manage' },
      schema: {
        operationId: 'createDepartment',
        summary: 'Create a department',
        description: 'The leader becomes a member. A person who leads another department cannot lead this one.',
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
      return reply.created(`/departments/${department.id}`, reply.versioned(department))
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
          'Send the whole form: a missing leaderId or parentId clears it. A new leader takes over the waiting requests. A form with an older `version` changes nothing.',
        params: IdParams,
        body: DepartmentPatch,
        response: { 200: DepartmentView },
        refuses: [
          organizationFaults.departmentChanged,
          organizationFaults.cycle,
          organizationFaults.tooDeep,
          organizationFaults.memberIsLeader,
          organizationFaults.approvalsWaiting,
          organizationFaults.codeTaken,
        ],
      },
    },
    async (req, reply) =>
      reply.versioned(await req.transact((tx) => updateDepartment(tx, req.params.id, req.body, req))),
  )

  app.delete(
    '/departments/:id',
    {
      config: { access: 'department:manage', versionIn: 'nowhere' },
      schema: {
        operationId: 'deleteDepartment',
        summary: 'Delete a department',
        description: 'Only if it has no children, members or pending requests; the refusal names them.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [organizationFaults.notEmpty],
      },
    },
    (req) => req.transact((tx) => deleteDepartment(tx, req.params.id, req)),
  )

  app.put(
    '/departments/:id/members/:userId',
    {
      config: { access: 'department:manage' },
      schema: {
        operationId: 'assignDepartmentMember',
        summary: 'Assign a person to a department',
        description:
          'The person leaves any other department, because a person is in one at most. Repeating it changes nothing.',
        params: DepartmentMemberParams,
        response: { 200: z.null() },
        refuses: [organizationFaults.memberIsLeader],
      },
    },
    (req) => req.transact((tx) => assignToDepartment(tx, req.params.id, req.params.userId)),
  )

  app.delete(
    '/departments/:id/members/:userId',
    {
      config: { access: 'department:manage' },
      schema: {
        operationId: 'removeDepartmentMember',
        summary: 'Remove a person from a department',
        description: 'Not while the person leads it. Removing somebody who is not a member changes nothing.',
        params: DepartmentMemberParams,
        response: { 200: z.null() },
        refuses: [organizationFaults.memberIsLeader],
      },
    },
    (req) => req.transact((tx) => removeFromDepartment(tx, req.params.id, req.params.userId)),
  )
}
