import type { Tx } from '#atrium'
import { appearanceOf, findOfficeHolder, recordUserFields, saveUsername } from '#atrium/people'
import { listAdministratorIds, listRolesHeld, loadAuthority } from '#atrium/roles'
import { assertMayRename, type Subject } from './users.rules.ts'
import { getUser } from './users.store.ts'

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

/** Loads the person about whom something is decided. @param getAccount reads the account; by default people only */
export async function loadSubject(tx: Tx, id: number, getAccount: typeof getUser = getUser): Promise<Subject> {
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
