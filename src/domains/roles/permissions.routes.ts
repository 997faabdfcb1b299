import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { IdParams, z } from '#atrium'
import { createPermission, deletePermission, updatePermission } from './permissions.actions.ts'
import { listPermissions } from './permissions.store.ts'
import { permissionFaults } from './roles.rules.ts'
import { PermissionDraft, PermissionPatch, PermissionView } from './roles.schemas.ts'

/** The catalogue of permissions, which all tenants share: the codes that routes require, and those that clients add. */
export const permissionRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/permissions',
    {
      config: { access: 'role:list' },
      schema: {
        operationId: 'listPermissions',
        summary: 'List the permissions there are',
        response: { 200: z.array(PermissionView) },
      },
    },
    (req) => listPermissions(req.scope, {}),
  )

  app.post(
    '/permissions',
    {
      config: { access: 'system:role:permission' },
      schema: {
        operationId: 'createPermission',
        summary: 'Add a permission',
        description: 'A code that clients check. The role `admin` holds it immediately.',
        body: PermissionDraft,
        response: { 201: PermissionView },
        refuses: [permissionFaults.codeTaken],
      },
    },
    (req) => req.transact((tx) => createPermission(tx, req.body)),
  )

  app.put(
    '/permissions/:id',
    {
      config: { access: 'system:role:permission' },
      schema: {
        operationId: 'updatePermission',
        summary: 'Update a permission',
        description: 'The codes that the service itself requires cannot be changed.',
        params: IdParams,
        body: PermissionPatch,
        response: { 200: PermissionView },
        refuses: [permissionFaults.reserved, permissionFaults.codeTaken],
      },
    },
    (req) => req.transact((tx) => updatePermission(tx, req.params.id, req.body)),
  )

  app.delete(
    '/permissions/:id',
    {
      config: { access: 'system:role:permission' },
      schema: {
        operationId: 'deletePermission',
        summary: 'Delete a permission',
        description: 'Only a permission that was added later and that no role of any tenant holds, except `admin`.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [permissionFaults.reserved, permissionFaults.inUse],
      },
    },
    (req) => req.transact((tx) => deletePermission(tx, req.params.id)),
  )
}
