/** What other domains may use. */
export { bootstrap } from './bootstrap.ts'
export { createTenant, renewTenant, updateTenant } from './tenants.actions.ts'
export { tenants } from './tenants.domain.ts'
export { renewalOf } from './tenants.rules.ts'
export { TenantDraft, TenantPatch, TenantRegistration } from './tenants.schemas.ts'
export {
  findTenant,
  findTenantByCode,
  getSettings,
  listExpiring,
  listTenants,
  lockSettings,
  saveRegistration,
  shareLockDoor,
} from './tenants.store.ts'
