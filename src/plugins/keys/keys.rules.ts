import { type Detail, faults, notFound } from '#atrium'
import { type Authority, assertCovers, assertHolds, type RoleHeld } from '#atrium/roles'
import type { KeyDraft, ServiceAccountPatch, ServiceAccountView } from './keys.schemas.ts'

export const keyFaults = {
  accountNotFound: notFound('Service account'),
  keyNotFound: notFound('Key'),
}

/** The fields that an account's form shows. */
export function accountState({ name, roles, status }: Pick<ServiceAccountView, 'name' | 'roles' | 'status'>): object {
  return { name, roles, status }
}

/**
 * Applies a patch to an account. Only those who hold all its permissions change anything, and nobody grants a role beyond
 * their own. @param wanted the roles that replace those held; undefined if they stay @throws PERMISSION_DENIED
 */
export function reviseAccount(
  account: ServiceAccountView,
  held: readonly RoleHeld[],
  patch: ServiceAccountPatch,
  wanted: readonly RoleHeld[] | undefined,
  authority: Authority,
) {
  assertCovers(authority, held, 'id')
  const roles = wanted ?? held
  const added = roles.filter(({ id }) => !held.some((role) => role.id === id))
  const removed = held.filter(({ id }) => !roles.some((role) => role.id === id))
  assertCovers(authority, added, 'body.roleIds')
  const { name = account.name, status = account.status } = patch
  return { account: { ...account, name, status, roles: roles.map(({ code }) => code) }, added, removed }
}

/** A key names permissions that there are, and expires in the future. @throws VALIDATION_FAILED naming each mistake */
export function assertSound({ permissions, expiresAt }: KeyDraft, catalogue: ReadonlySet<string>, now: string): void {
  const details: Detail[] = (permissions ?? []).flatMap((code, at) =>
    catalogue.has(code) ? [] : [{ path: `body.permissions.${at}`, message: 'must be a permission of the catalogue' }],
  )
  if (expiresAt && Date.parse(expiresAt) <= Date.parse(now))
    details.push({ path: 'body.expiresAt', message: 'must be in the future' })
  if (details.length) throw faults.validation(details)
}

/**
 * Anyone who holds less than the account makes no key of it, not even a narrow one. And a key that is narrowed makes none
 * that gives more than itself.
 * @param own what the actor may pass on; where a key asks for its own account, all that the account may
 * @param passedOn what this request may pass on: less, if it came with a narrowed key
 * @throws PERMISSION_DENIED naming what is missing
 */
export function assertMayIssue(
  held: readonly RoleHeld[],
  permissions: readonly string[] | null,
  own: Authority,
  passedOn: Authority,
): void {
  assertCovers(own, held, 'id')
  assertHolds(passedOn, permissions ?? held.flatMap((role) => role.permissions), 'body.permissions')
}
