import { arrayQuery, type DomainRoutes, IdParams, networkOf, pageRequestOf, z } from '#atrium'
import { assertNotName, hashPassword } from '#atrium/people'
import { closeTenant, createTenant, reopenTenant, tenantState, updateTenant } from './tenants.actions.ts'
import { shownTenant } from './tenants.rules.ts'
import { TenantDraft, TenantPatch, TenantView } from './tenants.schemas.ts'
import { getTenantView, listTenants, tenantFaults } from './tenants.store.ts'

/** The tenants, for system administrators only. */
export const tenantRoutes: DomainRoutes = async (app) => {
  app.get(
    '/tenants',
    {
      config: { access: 'system:tenant:list' },
      schema: {
        operationId: 'listTenants',
        summary: 'List tenants',
        description: 'Newest first.',
        querystring: arrayQuery({}),
        response: { 200: z.array(TenantView) },
      },
    },
    async (req, reply) => {
      const listing = await listTenants(req.scope, {}, pageRequestOf(req.query))
      return reply.list({ ...listing, rows: listing.rows.map(shownTenant) })
    },
  )

  app.get(
    '/tenants/:id',
    {
      config: { access: 'system:tenant:list' },
      schema: {
        operationId: 'getTenant',
        summary: 'Read a tenant',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: TenantView },
      },
    },
    async (req, reply) =>
      reply.fingerprinted(shownTenant(await getTenantView(req.scope, { id: req.params.id })), tenantState),
  )

  app.post(
    '/tenants',
    {
      config: { access: 'system:tenant:list', counts: 'tenant_created' },
      schema: {
        operationId: 'createTenant',
        summary: 'Create a tenant',
        description:
          'Creates the tenant with its organization, roles and administrator in one transaction. `registration` says whether strangers may join; the default is `closed`.',
        body: TenantDraft,
        response: { 201: TenantView },
        sends: ['Location'],
        refuses: [tenantFaults.codeTaken],
      },
    },
    async (req, reply) => {
      const { adminPassword, ...draft } = req.body
      const owner = { username: draft.adminUsername, email: draft.adminEmail }
      assertNotName(adminPassword, owner, 'body.adminPassword', [draft.code, draft.name])
      const passwordHash = await hashPassword(adminPassword, networkOf(req.ip))
      const tenant = shownTenant(await req.transact((tx) => createTenant(tx, draft, passwordHash)))
      return reply.created(`/tenants/${tenant.id}`, reply.fingerprinted(tenant, tenantState))
    },
  )

  app.put(
    '/tenants/:id',
    {
      config: { access: 'system:tenant:list', versionIn: 'nowhere' },
      schema: {
        operationId: 'updateTenant',
        summary: 'Update a tenant',
        description:
          'A disabled or expired tenant refuses its users within a second. `expiredAt: null` clears the expiry. The first tenant can be neither disabled nor expired. After `registration: closed` has been answered, nobody can register.',
        params: IdParams,
        body: TenantPatch,
        response: { 200: TenantView },
        refuses: [tenantFaults.reserved, tenantFaults.closing],
      },
    },
    async (req, reply) => {
      const tenant = await req.transact((tx) => updateTenant(tx, req.params.id, req.body, req))
      return reply.fingerprinted(shownTenant(tenant), tenantState)
    },
  )

  app.post(
    '/tenants/:id/close',
    {
      config: { access: 'system:tenant:list' },
      schema: {
        operationId: 'closeTenant',
        summary: 'Close a tenant',
        description:
          'Its people are refused within a second. At `eraseAt`, 30 days later, everything of it is erased: rows, files, and what is remembered. Until then it can be reopened, and the system administrator can enter it and export it. The first tenant is never closed.',
        params: IdParams,
        response: { 200: TenantView },
        sends: ['ETag'],
        refuses: [tenantFaults.reserved, tenantFaults.closing],
      },
    },
    async (req, reply) => {
      const tenant = await req.transact((tx) => closeTenant(tx, req.params.id))
      return reply.fingerprinted(shownTenant(tenant), tenantState)
    },
  )

  app.post(
    '/tenants/:id/reopen',
    {
      config: { access: 'system:tenant:list' },
      schema: {
        operationId: 'reopenTenant',
        summary: 'Reopen a tenant that is closing',
        description:
          'Takes the closing back. The tenant is again active or disabled, as it was before. What an import that was broken off has left is not reopened.',
        params: IdParams,
        response: { 200: TenantView },
        sends: ['ETag'],
        refuses: [tenantFaults.notClosing, tenantFaults.erasing, tenantFaults.incomplete],
      },
    },
    async (req, reply) => {
      const tenant = await req.transact((tx) => reopenTenant(tx, req.params.id))
      return reply.fingerprinted(shownTenant(tenant), tenantState)
    },
  )
}
