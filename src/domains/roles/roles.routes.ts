import { containing, type DomainRoutes, IdParams, numberedPageRequest, z } from '#atrium'
import { permissionRoutes } from './permissions.routes.ts'
import { createRole, deleteRole, updateRole } from './roles.actions.ts'
import { codesNamed, permissionFaults, roleFaults, roleIn, roleState } from './roles.rules.ts'
import { RoleDraft, RolePage, RolePatch, RoleQuery, RoleView } from './roles.schemas.ts'
import { getRole, listRoles } from './roles.store.ts'

/** The roles of a tenant, and their permissions. */
export const roleRoutes: DomainRoutes = async (app) => {
  app.get(
    '/roles',
    {
      config: { access: 'role:list' },
      schema: {
        operationId: 'listRoles',
        summary: 'List roles',
        description: 'Newest first. `keyword` searches code, name and description.',
        querystring: RoleQuery,
        response: { 200: RolePage },
      },
    },
    async (req, reply) => {
      const { keyword } = req.query
      const filter = keyword ? { pattern: containing(keyword), codes: codesNamed(keyword) } : {}
      const { items, ...page } = reply.page(await listRoles(req.scope, filter, numberedPageRequest(req.query)))
      const language = reply.inLanguage()
      return { items: items.map((role) => roleIn(language, role)), ...page }
    },
  )

  app.get(
    '/roles/:id',
    {
      config: { access: 'role:list' },
      schema: {
        operationId: 'getRole',
        summary: 'Read a role',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: RoleView },
      },
    },
    async (req, reply) => {
      const role = await getRole(req.scope, { id: req.params.id })
      return reply.fingerprinted(roleIn(reply.inLanguage(), role), roleState(role))
    },
  )

  app.post(
    '/roles',
    {
      config: { access: 'role:create' },
      schema: {
        operationId: 'createRole',
        summary: 'Create a role',
        description:
          'Only holders of `role:permission` can grant permissions, and only those that they hold themselves.',
        body: RoleDraft,
        response: { 201: RoleView },
        sends: ['Location'],
        refuses: [permissionFaults.notFound, roleFaults.codeTaken, roleFaults.codeReserved],
      },
    },
    async (req, reply) => {
      const role = await req.transact((tx) => createRole(tx, req.body))
      return reply.created(`/roles/${role.id}`, reply.fingerprinted(role, roleState(role)))
    },
  )

  app.put(
    '/roles/:id',
    {
      config: { access: 'role:update', versionIn: 'nowhere' },
      schema: {
        operationId: 'updateRole',
        summary: 'Update a role',
        description:
          '`permissionIds` and `menuIds` replace the set. Only holders of `role:permission` can grant and revoke permissions, and only those that they hold themselves. Reserved roles keep their names, and administrator roles keep their permissions.',
        params: IdParams,
        body: RolePatch,
        response: { 200: RoleView },
        refuses: [roleFaults.reserved],
      },
    },
    async (req, reply) => {
      const role = await req.transact((tx) => updateRole(tx, req.params.id, req.body, req))
      return reply.fingerprinted(roleIn(reply.inLanguage(), role), roleState(role))
    },
  )

  app.delete(
    '/roles/:id',
    {
      config: { access: 'role:delete', versionIn: 'nowhere' },
      schema: {
        operationId: 'deleteRole',
        summary: 'Delete a role',
        description: 'Only if nobody holds it; the refusal names the people who do.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [roleFaults.reserved, roleFaults.inUse],
      },
    },
    (req) => req.transact((tx) => deleteRole(tx, req.params.id, req)),
  )

  await app.register(permissionRoutes)
}
