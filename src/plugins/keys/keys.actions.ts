import {
  assertUnchanged,
  type Config,
  changesBetween,
  type Expected,
  fail,
  faults,
  nextId,
  type Tx,
  writeKey,
} from '#atrium'
import { lockStaff } from '#atrium/organization'
import {
  appearanceOf,
  findNamesake,
  findPersonCalled,
  insertUser,
  NO_PASSWORD,
  nicknameSkeletonOf,
  peopleFaults,
  recordStatus,
  recordUser,
  recordUserChanges,
  saveUser,
} from '#atrium/people'
import {
  assertAllFound,
  assertCovers,
  insertUserRole,
  isTitle,
  listPermissions,
  listRolesByIds,
  listRolesHeld,
  loadAuthority,
  loadOwnAuthority,
  removeUserRole,
} from '#atrium/roles'
import { type AccountForm, deleteUser, getServiceUser } from '#atrium/users'
import { accountState, assertMayIssue, assertSound, keyFaults, reviseAccount } from './keys.rules.ts'
import type {
  CreatedKeyView,
  KeyDraft,
  ServiceAccountDraft,
  ServiceAccountPatch,
  ServiceAccountView,
} from './keys.schemas.ts'
import { getAccount, insertKey, removeKey } from './keys.store.ts'

const LONGEST_STEM = 40
const accountForm: AccountForm = {
  get: getServiceUser,
  stateOf: ({ nickname, username, roles, status }) => accountState({ name: nickname ?? username, roles, status }),
}

/**
 * Creates a service account: a user who cannot sign in. Names may repeat; user names, which the audit shows, do not.
 * @throws NOT_FOUND (role), PERMISSION_DENIED, NICKNAME_TAKEN (by a person)
 */
export async function createAccount(tx: Tx, { name, roleIds }: ServiceAccountDraft): Promise<ServiceAccountView> {
  const skeleton = nicknameSkeletonOf(name)!
  const [, id, roles, authority, person, namesake] = await tx.inOrder([
    lockStaff(tx, {}),
    nextId(tx, 'users'),
    listRolesByIds(tx, { ids: roleIds }),
    loadAuthority(tx),
    findPersonCalled(tx, { skeleton }),
    findNamesake(tx, { id: 0, skeleton }),
  ])
  assertAllFound(roles, roleIds)
  assertCovers(authority, roles, 'body.roleIds')
  assertNobodyIsCalled(skeleton, person)
  const username = namesake ? `${[...name].slice(0, LONGEST_STEM).join('')}-${id}` : name
  const appearance = appearanceOf(username, name)
  const inserted = await insertUser(tx, {
    ...{ id, username, nickname: name, passwordHash: NO_PASSWORD, isService: true },
    ...appearance,
  })
  for (const role of roles) insertUserRole(tx, { userId: id, roleId: role.id })
  const codes = roles.map(({ code }) => code)
  recordUser(tx, id, { roles: codes, isService: true })
  const { createdAt } = inserted.rows[0]!
  return { id, name, roles: codes, status: 'active', createdAt }
}

/** Changes an account. Disabling it ends its keys until it is active again. @throws NOT_FOUND (account, role), PERMISSION_DENIED, NICKNAME_TAKEN, PRECONDITION_FAILED */
export async function updateAccount(
  tx: Tx,
  id: number,
  patch: ServiceAccountPatch,
  { ifMatch }: Expected = {},
): Promise<ServiceAccountView> {
  assertNotOwn(tx, id)
  const skeleton = patch.name === undefined ? null : nicknameSkeletonOf(patch.name)
  const [, before, held, wanted, authority, person] = await tx.inOrder([
    lockStaff(tx, {}),
    getAccount(tx, { id }),
    listRolesHeld(tx, { userId: id }),
    patch.roleIds && listRolesByIds(tx, { ids: patch.roleIds }),
    loadAuthority(tx),
    skeleton === null ? undefined : findPersonCalled(tx, { skeleton }),
  ])
  if (wanted) assertAllFound(wanted, patch.roleIds!)
  const { account, added, removed } = reviseAccount(before, held, patch, wanted, authority)
  if (skeleton !== null) assertNobodyIsCalled(skeleton, person)
  assertUnchanged(accountState(before), ifMatch)
  saveUser(tx, {
    ...{ id, nickname: account.name, nicknameSkeleton: nicknameSkeletonOf(account.name), status: account.status },
    ...{ email: null, phone: null, realName: null, selfRegistered: false, updatedAt: tx.now },
  })
  for (const role of removed) removeUserRole(tx, { userId: id, roleId: role.id })
  for (const role of added) insertUserRole(tx, { userId: id, roleId: role.id })
  recordUserChanges(tx, id, [
    ...changesBetween({ nickname: before.name }, { nickname: account.name }, ['nickname']),
    ...changesBetween(before, account, ['roles']),
  ])
  recordStatus(tx, id, before.status, account.status)
  return account
}

/**
 * Deletes an account and its keys; what it did shows a former member.
 * @throws NOT_FOUND, PERMISSION_DENIED, USER_IN_USE naming its open work, PRECONDITION_FAILED
 */
export async function deleteAccount(
  tx: Tx,
  id: number,
  files: Config['files'],
  expected: Expected = {},
): Promise<void> {
  assertNotOwn(tx, id)
  await deleteUser(tx, id, files, expected, accountForm)
}

/**
 * Makes a key of an account. The answer is the only place that shows it; stored is its hash.
 * @throws NOT_FOUND, VALIDATION_FAILED, PERMISSION_DENIED
 */
export async function issueKey(tx: Tx, userId: number, draft: KeyDraft): Promise<CreatedKeyView> {
  const [, held, catalogue, own, passedOn] = await Promise.all([
    getAccount(tx, { id: userId }),
    listRolesHeld(tx, { userId }),
    listPermissions(tx, {}),
    isOwn(tx, userId) ? loadOwnAuthority(tx) : loadAuthority(tx),
    loadAuthority(tx),
  ])
  assertSound(draft, new Set(catalogue.map(({ code }) => code)), tx.now)
  assertMayIssue(held, draft.permissions, own, passedOn)
  const { key, prefix, hash } = writeKey(tx.tenantId)
  const { name, permissions, expiresAt = null } = draft
  const { rows } = await insertKey(tx, { userId, name, prefix, keyHash: hash, permissions, expiresAt })
  const issued = rows[0]!
  tx.record({ event: 'key.created', subject: issued.id, data: { userId, prefix, permissions: issued.permissions } })
  return { ...issued, key }
}

/** Revokes a key: within a second nobody calls with it. @throws NOT_FOUND, PERMISSION_DENIED */
export async function revokeKey(tx: Tx, userId: number, id: number): Promise<void> {
  const [, held, authority] = await Promise.all([
    getAccount(tx, { id: userId }),
    listRolesHeld(tx, { userId }),
    loadAuthority(tx),
  ])
  assertCovers(authority, held, 'id')
  const { affected } = await removeKey(tx, { id, userId })
  if (affected === 0) fail(keyFaults.keyNotFound())
  tx.record({ event: 'key.revoked', subject: id, data: { userId } })
}

/** Whether an account is that of the key of this request. */
function isOwn({ actor, tenantId }: Tx, id: number): boolean {
  return actor.id === id && actor.tenantId === tenantId
}

/** A key changes nothing of its own account. @throws PERMISSION_DENIED */
function assertNotOwn(tx: Tx, id: number): void {
  if (isOwn(tx, id)) throw faults.permissionDenied()
}

/** An account writes under its name, so it is called neither like a person nor like an administrator. @throws NICKNAME_TAKEN */
function assertNobodyIsCalled(skeleton: string, person: object | undefined): void {
  if (person || isTitle(skeleton)) throw peopleFaults.nicknameTaken()
}
