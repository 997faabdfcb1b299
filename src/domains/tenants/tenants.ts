/** What other domains may use of this one. */
export { bootstrap } from './bootstrap.ts'
export { createTenant, updateTenant } from './tenants.actions.ts'
export { tenants } from './tenants.domain.ts'
export { TenantDraft, TenantPatch } from './tenants.schemas.ts'
export { findTenant, findTenantByCode, listTenants, shareLockDoor } from './tenants.store.ts'
