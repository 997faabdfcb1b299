import {
  type Actor,
  assertUnchanged,
  changesBetween,
  type Expected,
  enterNewTenant,
  enterTenant,
  FIRST_TENANT,
  faults,
  nextId,
  ROLE,
  type Scope,
  type Tx,
} from '#atrium'
import { insertOrganization, shareLockStaff } from '#atrium/organization'
import { assertChosenWell } from '#atrium/people'
import { createReservedRoles, createUserWithRole } from '#atrium/roles'
import { TENANT_FIELDS } from './tenants.events.ts'
import { closingUntil, extended, shownTenant } from './tenants.rules.ts'
import type { TenantDraft, TenantPatch, TenantView } from './tenants.schemas.ts'
import {
  getPolicy,
  insertTenant,
  lockTenant,
  saveClosing,
  saveReopened,
  saveTenant,
  tenantFaults,
} from './tenants.store.ts'

/** Creates a tenant with its organization, roles and administrator. @throws TENANT_CODE_TAKEN */
export async function createTenant(tx: Tx<Actor>, draft: Omit<TenantDraft, 'adminPassword'>, passwordHash: string) {
  const id = await nextId(tx, 'tenants')
  const { name, code, plan, expiredAt = null, registration } = draft
  const inside = await enterNewTenant(tx, id, 'fill a new tenant')
  const tenant = (await insertTenant(tx, { id, name, code, plan, expiredAt, registration })).rows[0]!
  inside.record({ event: 'tenant.created', subject: id, data: { name, code, plan } })
  insertOrganization(inside, { name, code: code.toUpperCase() })
  await createReservedRoles(inside, [ROLE.tenantAdmin, ROLE.user])
  await createUserWithRole(
    inside,
    {
      username: draft.adminUsername,
      passwordHash,
      nickname: 'Tenant Administrator',
      email: draft.adminEmail,
    },
    ROLE.tenantAdmin,
  )
  return tenant
}

/** Changes name, status, plan, expiry or registration. The first tenant cannot be disabled or expire. @throws NOT_FOUND, RESERVED, PRECONDITION_FAILED */
export async function updateTenant(tx: Tx<Actor>, id: number, patch: TenantPatch, { ifMatch }: Expected = {}) {
  const tenant = await lockTenant(tx, { id })
  const changed = { ...tenant, ...patch }
  if (id === FIRST_TENANT && (patch.status === 'disabled' || patch.expiredAt)) throw tenantFaults.reserved()
  if (tenant.status === 'closing') throw tenantFaults.closing()
  assertUnchanged(tenantState(shownTenant(tenant)), ifMatch)
  const { name, status, plan, expiredAt, registration } = changed
  saveTenant(tx, { id, name, status, plan, expiredAt, registration })
  const theirs = enterTenant(tx, id, 'the log of the tenant that changes')
  recordTenantChanges(theirs, tenant, changed)
  if (status !== tenant.status)
    theirs.record({ event: status === 'active' ? 'tenant.enabled' : 'tenant.disabled', subject: id, data: {} })
  return changed
}

/**
 * Closes a tenant: its people are refused from now on, and everything of it is erased in 30 days, unless it is reopened.
 * @throws NOT_FOUND, RESERVED, TENANT_CLOSING
 */
export async function closeTenant(tx: Tx<Actor>, id: number) {
  const tenant = await lockTenant(tx, { id })
  if (id === FIRST_TENANT) throw tenantFaults.reserved()
  if (tenant.status === 'closing') throw tenantFaults.closing()
  const eraseAt = closingUntil(tx.now)
  saveClosing(tx, { id, eraseAt })
  const theirs = enterTenant(tx, id, 'the log of the tenant that closes')
  theirs.record({ event: 'tenant.closed', subject: id, data: { eraseAt } })
  return { ...tenant, status: 'closing' as const, eraseAt }
}

/**
 * Takes a closing back: the tenant is again what it was before. One that an import has not filled was never anything.
 * @throws NOT_FOUND, TENANT_NOT_CLOSING, TENANT_ERASING, TENANT_INCOMPLETE
 */
export async function reopenTenant(tx: Tx<Actor>, id: number) {
  const tenant = await lockTenant(tx, { id })
  if (tenant.status !== 'closing') throw tenantFaults.notClosing()
  if (tenant.eraseAt && Date.parse(tenant.eraseAt) <= Date.parse(tx.now)) throw tenantFaults.erasing()
  const theirs = enterTenant(tx, id, 'the log of the tenant that reopens')
  if (!(await shareLockStaff(theirs, {}))) throw tenantFaults.incomplete()
  const [reopened] = (await saveReopened(tx, { id })).rows
  theirs.record({ event: 'tenant.reopened', subject: id, data: {} })
  return reopened!
}

/** Extends the tenant of the transaction by so many days; one that does not expire stays as it is. @returns when it expires */
export async function renewTenant(tx: Tx<Actor>, days: number): Promise<string | null> {
  const tenant = await lockTenant(tx, { id: tx.tenantId })
  if (tenant.expiredAt === null) return null
  const expiredAt = extended(tenant.expiredAt, days, tx.now)
  saveTenant(tx, { ...tenant, expiredAt })
  recordTenantChanges(tx, tenant, { ...tenant, expiredAt })
  return expiredAt
}

/** Records in the log of the transaction's tenant what has changed of it. */
export function recordTenantChanges(tx: Tx<any>, before: TenantFields, after: TenantFields): void {
  const changes = changesBetween(before, after, TENANT_FIELDS)
  if (changes.length > 0) tx.record({ event: 'tenant.updated', subject: tx.tenantId, data: { changes } })
}
type TenantFields = { readonly [Field in (typeof TENANT_FIELDS)[number]]?: unknown }

/**
 * A password that a person chooses: as long as their tenant asks for, not common, and none of their names.
 * @param tenant its code and name, if known
 * @throws VALIDATION_FAILED at `path`
 */
export async function assertMayChoose(
  scope: Scope,
  password: string,
  owner: { username: string; email?: string | null },
  path: string,
  tenant: readonly string[],
): Promise<void> {
  const { passwordMinLength: minimum } = await getPolicy(scope, { id: scope.tenantId })
  if (password.length < minimum)
    throw faults.validation([{ path, minimum, message: 'must have no fewer than {minimum} characters' }])
  assertChosenWell(password, owner, path, tenant)
}

/** The fields that a tenant's form shows. */
export function tenantState({ id: _, code: __, createdAt: ___, ...state }: TenantView): object {
  return state
}
