/** What other domains may use. */
export { bootstrap } from './bootstrap.ts'
export { eraseDueTenants } from './erase.ts'
export {
  assertMayChoose,
  closeTenant,
  createTenant,
  recordTenantChanges,
  renewTenant,
  reopenTenant,
  updateTenant,
} from './tenants.actions.ts'
export { tenants } from './tenants.domain.ts'
export { isOpen, type Policy, renewalOf, sessionDaysOf, sessionSecondsOf, sessionsSinceOf } from './tenants.rules.ts'
export { TenantDraft, TenantPatch, TenantRegistration } from './tenants.schemas.ts'
export {
  findTenant,
  findTenantByCode,
  getPolicy,
  getSettings,
  listExpiring,
  listOpenTenants,
  listTenants,
  lockSettings,
  planOf,
  saveSettings,
  shareLockDoor,
} from './tenants.store.ts'
