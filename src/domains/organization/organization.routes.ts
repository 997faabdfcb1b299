import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fail } from '../../kernel/fault.ts'
import { IdParams } from '../../kernel/zod.ts'
import {
  assignToDepartment,
  createDepartment,
  deleteDepartment,
  removeFromDepartment,
  updateDepartment,
  updateOrganization,
} from './organization.actions.ts'
import { growTree, organizationFaults } from './organization.rules.ts'
import {
  DepartmentDraft,
  DepartmentMemberParams,
  DepartmentMemberView,
  DepartmentView,
  OrganizationPatch,
  OrganizationView,
} from './organization.schemas.ts'
import { findDepartment, findOrganization, listDepartmentMembers, listDepartments } from './organization.store.ts'

/** The tenant's organization and its tree of departments. */
export const organizationRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/organizations/current',
    {
      config: { access: 'department:list' },
      schema: { operationId: 'getOrganization', summary: 'Read the organization', response: { 200: OrganizationView } },
    },
    async (req) => (await findOrganization(req.scope, {})) ?? fail(organizationFaults.notFound()),
  )

  app.put(
    '/organizations/:id',
    {
      config: { access: 'department:manage' },
      schema: {
        operationId: 'updateOrganization',
        summary: 'Update the organization',
        params: IdParams,
        body: OrganizationPatch,
        response: { 200: OrganizationView },
      },
    },
    (req) => req.transact((tx) => updateOrganization(tx, req.params.id, req.body)),
  )

  app.get(
    '/departments',
    {
      config: { access: 'department:list' },
      schema: {
        operationId: 'listDepartments',
        summary: 'Read the tree of departments',
        description: 'Each level in the order of `sort`, then of the id.',
        response: { 200: z.array(DepartmentView) },
      },
    },
    async (req) => growTree(await listDepartments(req.scope, {})),
  )

  app.get(
    '/departments/:id/members',
    {
      config: { access: 'department:list' },
      schema: {
        operationId: 'listDepartmentMembers',
        summary: 'List the members of a department',
        params: IdParams,
        response: { 200: z.array(DepartmentMemberView) },
      },
    },
    async (req) => {
      const { id } = req.params
      const [department, members] = await Promise.all([
        findDepartment(req.scope, { id }),
        listDepartmentMembers(req.scope, { departmentId: id }),
      ])
      return department ? members : fail(organizationFaults.departmentNotFound())
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
        refuses: [organizationFaults.parentNotFound, organizationFaults.memberIsLeader, organizationFaults.codeTaken],
      },
    },
    async (req, reply) => {
      const department = await req.transact((tx) => createDepartment(tx, req.body))
      return reply.created(`/departments/${department.id}`, department)
    },
  )

  app.put(
    '/departments/:id',
    {
      config: { access: 'department:manage' },
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
          organizationFaults.memberIsLeader,
          organizationFaults.approvalsWaiting,
          organizationFaults.codeTaken,
        ],
      },
    },
    (req) => req.transact((tx) => updateDepartment(tx, req.params.id, req.body)),
  )

  app.delete(
    '/departments/:id',
    {
      config: { access: 'department:manage' },
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
      await req.transact((tx) => deleteDepartment(tx, req.params.id))
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
