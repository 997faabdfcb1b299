import {
  assertUnchanged,
  assertVersion,
  type Config,
  changesBetween,
  type Expected,
  fail,
  ROLE,
  type Tx,
  takeRoom,
} from '#atrium'
import { endSessions, holdSession } from '#atrium/auth'
import { discardFile } from '#atrium/files'
import { lockStaff } from '#atrium/organization'
import {
  appearanceOf,
  endDependents,
  findAvatar,
  findOfficeHolder,
  kindsOfWork,
  lockUser,
  nicknameSkeletonOf,
  peopleFaults,
  recordStatus,
  recordUserChanges,
  recordUserFields,
  retireUser,
  reviveUser,
  saveUser,
  saveUsername,
  type UserView,
  watchDependents,
} from '#atrium/people'
import { lockMemberships, recordMember, removeMemberships, shareLockProjectsOf } from '#atrium/projects'
import {
  assertAllFound,
  assertCovers,
  insertUserRole,
  listAdministratorIds,
  listRolesByCode,
  listRolesByIds,
  listRolesHeld,
  loadAuthority,
  removeUserRole,
} from '#atrium/roles'
import { getPolicy, type Policy } from '#atrium/tenants'
import { assertNobodyElse, insertPerson } from './new-people.ts'
import {
  assertMayEndSessions,
  assertMayGo,
  assertMayRename,
  assertMayTrust,
  reviseUser,
  type Subject,
  userFaults,
  userState,
} from './users.rules.ts'
import type { RestorationDraft, UserDraft, UserPatch } from './users.schemas.ts'
import { getUser } from './users.store.ts'

/**
 * Creates a user with the given roles, or with `user`, as in registration.
 * @throws NOT_FOUND (role), PERMISSION_DENIED, USERNAME_TAKEN, NICKNAME_TAKEN, QUOTA_EXCEEDED
 */
export async function addUser(tx: Tx, draft: UserDraft, passwordHash: string): Promise<UserView> {
  const { roleIds, mustChangePassword, ...person } = draft
  const named = roleIds?.length ? roleIds : undefined
  const [, roles, authority, administrators, policy] = await tx.inOrder([
    lockStaff(tx, {}),
    named ? listRolesByIds(tx, { ids: named }) : listRolesByCode(tx, { code: ROLE.user }),
    loadAuthority(tx),
    listAdministratorIds(tx, {}),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  if (named) assertAllFound(roles, named)
  assertCovers(authority, roles, 'body.roleIds')
  const asksToChange = mustChangePassword ?? asksForChange(policy)
  return insertPerson(tx, { ...person, passwordHash, mustChangePassword: asksToChange }, roles, administrators)
}

/**
 * Changes a user. A new password or disabling ends their sessions, except the actor's current one.
 * @param passwordHash of a password that replaces theirs
 * @throws NOT_FOUND (user, role), VALIDATION_FAILED, RESERVED, PERMISSION_DENIED, LAST_ADMINISTRATOR, VERSION_CONFLICT,
 *   QUOTA_EXCEEDED, UNAUTHENTICATED
 */
export async function updateUser(
  tx: Tx,
  id: number,
  patch: UserPatch,
  passwordHash: string | undefined,
  { version, ifMatch }: Expected = {},
): Promise<UserView> {
  const [, subject, wanted, authority, policy, notifyHeirs] = await tx.inOrder([
    lockStaff(tx, {}),
    loadSubject(tx, id),
    patch.roleIds && listRolesByIds(tx, { ids: patch.roleIds }),
    loadAuthority(tx),
    getPolicy(tx, { id: tx.tenantId }),
    watchDependents(tx, { userId: id }),
  ])
  const changesEmail = patch.email !== undefined && patch.email !== subject.user.email
  if (subject.isActor && (passwordHash || changesEmail)) await holdSession(tx)
  if (wanted) assertAllFound(wanted, patch.roleIds!)
  const { user, added, removed, endsSessions } = reviseUser(
    subject,
    patch,
    wanted,
    passwordHash !== undefined,
    authority,
  )
  assertMayTrust(subject.user, user, tx.actor, authority)
  assertUnchanged(userState(subject.user), ifMatch)
  assertVersion(subject.user.version, { version }, userFaults.changed)
  const { nickname, email, phone, realName, status, selfRegistered } = user
  if (status === 'active' && subject.user.status === 'disabled') await takeRoom(tx, 'people')
  const nicknameSkeleton = nicknameSkeletonOf(nickname)
  if (nickname !== subject.user.nickname)
    await assertNobodyElse(tx, id, nicknameSkeleton, wanted ?? subject.roles, subject.administrators)
  saveUser(tx, {
    id,
    nickname,
    email,
    phone,
    realName,
    status,
    selfRegistered,
    nicknameSkeleton,
    updatedAt: tx.now,
    ...(passwordHash && { passwordHash }),
    ...(passwordHash && subject.isActor && { mustChangePassword: false }),
    ...(passwordHash && !subject.isActor && asksForChange(policy) && { mustChangePassword: true }),
  })
  for (const role of removed) removeUserRole(tx, { userId: id, roleId: role.id })
  for (const role of added) insertUserRole(tx, { userId: id, roleId: role.id })
  if (endsSessions) endSessions(tx, { userId: id, ...(subject.isActor && { kept: tx.actor.sessionId }) })
  recordUserChanges(tx, id, [
    ...changesBetween(subject.user, user, ['nickname', 'email', 'phone', 'realName', 'roles', 'selfRegistered']),
    ...(passwordHash ? [{ field: 'password' as const, from: null, to: null }] : []),
  ])
  recordStatus(tx, id, subject.user.status, status)
  await notifyHeirs()
  return { ...user, version: user.version + 1, updatedAt: tx.now }
}

/**
 * Ends all sessions of a person, and of the actor all but the current one.
 * @throws NOT_FOUND, RESERVED, PERMISSION_DENIED
 */
export async function endSessionsOf(tx: Tx, id: number): Promise<void> {
  const [subject, authority] = await Promise.all([loadSubject(tx, id), loadAuthority(tx)])
  assertMayEndSessions(subject, authority)
  endSessions(tx, { userId: id, ...(subject.isActor && { kept: tx.actor.sessionId }) })
  recordUserFields(tx, id, ['sessions'])
}

/**
 * Gives a person another user name, which they sign in with from then on: only by those who hold all their permissions. The
 * caller has locked the staff.
 * @throws NOT_FOUND, RESERVED, PERMISSION_DENIED, USERNAME_TAKEN
 */
export async function renameUser(tx: Tx, id: number, username: string): Promise<void> {
  const [subject, authority] = await Promise.all([loadSubject(tx, id), loadAuthority(tx)])
  assertMayRename(subject, authority)
  const { look, skeleton } = appearanceOf(username, null)
  saveUsername(tx, { id, username, look, skeleton, updatedAt: tx.now })
  recordUserFields(tx, id, ['username'])
}

/** An account that is no person's: how it is read, and which of its fields its form shows. */
export interface AccountForm {
  get: typeof getUser
  stateOf(user: UserView): object
}

/** How much of each kind the refusal of a deletion names. */
const MOST_NAMED = 100

/**
 * Deletes a user without open work. They leave every project and department, and their picture is deleted. Only the
 * audit names them afterwards: what they did shows a former member, and their user name is free.
 * @throws NOT_FOUND, RESERVED, PERMISSION_DENIED, LAST_ADMINISTRATOR, USER_IN_USE naming the uses
 */
export async function deleteUser(
  tx: Tx,
  id: number,
  files: Config['files'],
  { ifMatch }: Expected = {},
  { get, stateOf }: AccountForm = { get: getUser, stateOf: userState },
): Promise<void> {
  // Waits for transactions that assign something to them, then sees it.
  const work = kindsOfWork().filter(({ keeps }) => keeps)
  const [, , , joined, subject, authority, picture, notifyHeirs, ...held] = await tx.inOrder([
    lockStaff(tx, {}),
    lockMemberships(tx, { userId: id }),
    lockUser(tx, { id }),
    shareLockProjectsOf(tx, { userId: id }),
    loadSubject(tx, id, get),
    loadAuthority(tx),
    findAvatar(tx, { id }),
    watchDependents(tx, { userId: id }),
    ...work.map((kind) => kind.list(tx, { userId: id, most: MOST_NAMED })),
  ])
  const kept = work.flatMap((kind, at) => held[at]!.map((one) => kind.keeps!(one.id)))
  assertMayGo(subject, kept, authority)
  assertUnchanged(stateOf(subject.user), ifMatch)
  removeMemberships(tx, { userId: id })
  for (const { id: projectId, status, version } of joined)
    if (status === 'ACTIVE') recordMember(tx, 'REMOVED', { projectId, userId: id, version })
  await endDependents(tx, id)
  retireUser(tx, { id, deletedAt: tx.now })
  tx.record({ event: 'user.deleted', subject: id, data: {} })
  if (picture?.avatar) await discardFile(tx, files, picture.avatar)
  await notifyHeirs()
}

/**
 * Brings a deleted user back under their id, with the role `user` and none of what they were before.
 * @throws NOT_FOUND (who is not deleted), PERMISSION_DENIED, USERNAME_TAKEN, NICKNAME_TAKEN, QUOTA_EXCEEDED
 */
export async function restoreUser(
  tx: Tx,
  id: number,
  draft: RestorationDraft,
  passwordHash: string,
): Promise<UserView> {
  const [, roles, authority, administrators, policy] = await tx.inOrder([
    lockStaff(tx, {}),
    listRolesByCode(tx, { code: ROLE.user }),
    loadAuthority(tx),
    listAdministratorIds(tx, {}),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  assertCovers(authority, roles, 'id')
  const { username, nickname = null, email = null } = draft
  const appearance = appearanceOf(username, nickname)
  if (appearance.nicknameSkeleton !== appearance.skeleton)
    await assertNobodyElse(tx, id, appearance.nicknameSkeleton, roles, administrators)
  await takeRoom(tx, 'people')
  // What was left of them when they went, in a version that did not end it, does not come back.
  await endDependents(tx, id)
  const { rows } = await reviveUser(tx, {
    id,
    username,
    nickname,
    email,
    passwordHash,
    mustChangePassword: asksForChange(policy),
    updatedAt: tx.now,
    ...appearance,
  })
  const user = rows[0] ?? fail(peopleFaults.notFound())
  for (const role of roles) insertUserRole(tx, { userId: id, roleId: role.id })
  const codes = roles.map(({ code }) => code)
  tx.record({ event: 'user.restored', subject: id, data: { roles: codes } })
  return { ...user, roles: codes, lastSignInAt: null }
}

/** Loads the person about whom something is decided. @param getAccount reads the account; by default people only */
async function loadSubject(tx: Tx, id: number, getAccount: typeof getUser = getUser): Promise<Subject> {
  const [user, roles, administrators, officeHolder] = await Promise.all([
    getAccount(tx, { id }),
    listRolesHeld(tx, { userId: id }),
    listAdministratorIds(tx, {}),
    findOfficeHolder(tx),
  ])
  return {
    tenantId: tx.tenantId,
    user,
    roles,
    isActor: id === tx.actor.id && tx.tenantId === tx.actor.tenantId,
    officeHolder,
    administrators,
  }
}

/** Whether a password that an administrator has set must be changed by its person. */
function asksForChange({ firstPassword }: Policy): boolean {
  return firstPassword === 'change'
}
