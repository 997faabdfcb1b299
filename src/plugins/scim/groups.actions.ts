import { fail, type Tx } from '#atrium'
import { lockStaff } from '#atrium/organization'
import { assertHolds, createRole, deleteRole, listRolesHeld, loadAuthority, updateRole } from '#atrium/roles'
import { updateUser } from '#atrium/users'
import type { Group } from './groups.rules.ts'
import { type Operation, patched } from './protocol/patch.rules.ts'
import { GROUP_ATTRIBUTES } from './protocol/resources.rules.ts'
import { scimFaults } from './scim.rules.ts'
import { GroupResource, MOST_MEMBERS, read } from './scim.schemas.ts'
import { findGroup, findNamesake, listMembers, saveScimGroup } from './scim.store.ts'

/**
 * Makes a role without permissions: what its holders may do, an administrator decides.
 * @throws ROLE_CODE_TAKEN, NOT_FOUND (user), PERMISSION_DENIED
 */
export async function createGroup(tx: Tx, { displayName, externalId, members }: GroupResource): Promise<Group> {
  await lockStaff(tx, {})
  await assertFree(tx, displayName)
  const { id } = await createRole(tx, { ...NO_SETS, name: displayName, code: undefined })
  saveScimGroup(tx, { roleId: id, externalId })
  await changeMembers(tx, id, [], members ?? [])
  return getGroup(tx, id)
}

/** Replaces what a directory says of a role; its members only if they were sent. @throws NOT_FOUND, ROLE_CODE_TAKEN, RESERVED, PERMISSION_DENIED */
export async function replaceGroup(tx: Tx, id: number, resource: GroupResource): Promise<Group> {
  const { before, members } = await lockGroup(tx, id)
  return save(tx, before, members, resource)
}

/** Changes a role step by step. @throws as above, INVALID_PATH, INVALID_SYNTAX, NOT_MUTABLE, VALIDATION_FAILED */
export async function patchGroup(tx: Tx, id: number, operations: readonly Operation[]): Promise<Group> {
  const { before, members } = await lockGroup(tx, id)
  const resource = {
    displayName: before.name,
    externalId: before.externalId,
    members: members.map((member) => ({ value: String(member) })),
  }
  return save(
    tx,
    before,
    members,
    read(GroupResource, patched(resource, operations, GROUP_ATTRIBUTES), GROUP_ATTRIBUTES),
  )
}

/** Takes a role from its holders and deletes it. @throws NOT_FOUND, RESERVED, PERMISSION_DENIED, ROLE_IN_USE (by a service account) */
export async function deleteGroup(tx: Tx, id: number): Promise<void> {
  const { members } = await lockGroup(tx, id)
  await changeMembers(tx, id, members, [])
  await deleteRole(tx, id)
}

const NO_SETS = { description: undefined, permissionIds: undefined, menuIds: undefined }

async function save(tx: Tx, before: Group, members: readonly number[], resource: GroupResource): Promise<Group> {
  const { id } = before
  if (resource.displayName !== before.name) {
    await assertFree(tx, resource.displayName, id)
    await updateRole(tx, id, { ...NO_SETS, name: resource.displayName, code: undefined })
  }
  saveScimGroup(tx, { roleId: id, externalId: resource.externalId })
  if (resource.members) await changeMembers(tx, id, members, resource.members)
  return getGroup(tx, id)
}

/** A directory finds its groups by their names, and sends again what was not answered. @throws ROLE_CODE_TAKEN */
async function assertFree(tx: Tx, name: string, otherThan = 0): Promise<void> {
  if (await findNamesake(tx, { name, otherThan })) throw scimFaults.groupTaken()
}

async function lockGroup(tx: Tx, id: number) {
  const [, before, members] = await tx.inOrder([
    lockStaff(tx, {}),
    findGroup(tx, { id }),
    listMembers(tx, { roleIds: [id] }),
  ])
  if (members.length > MOST_MEMBERS) throw scimFaults.tooMany()
  return { before: before ?? fail(scimFaults.groupNotFound()), members: members.map((member) => member.id) }
}

/** Beyond this many the transaction would hold up all others that change people. */
const MOST_CHANGES = 1000

/** Each member is changed as by PUT /users/{id}, with the same conditions. */
async function changeMembers(tx: Tx, roleId: number, before: readonly number[], after: readonly number[]) {
  const [gone, come] = [new Set(before).difference(new Set(after)), new Set(after).difference(new Set(before))]
  if (gone.size + come.size === 0) return
  if (gone.size + come.size > MOST_CHANGES) throw scimFaults.tooMany()
  assertHolds(await loadAuthority(tx), ['user:update'], 'body.members')
  for (const id of gone) await setRoles(tx, id, (held) => held.filter((role) => role !== roleId))
  for (const id of come) await setRoles(tx, id, (held) => [...held, roleId])
}

async function setRoles(tx: Tx, id: number, change: (held: number[]) => number[]): Promise<void> {
  const held = (await listRolesHeld(tx, { userId: id })).map((role) => role.id)
  await updateUser(tx, id, { roleIds: change(held), selfRegistered: undefined }, undefined)
}

async function getGroup(tx: Tx, id: number): Promise<Group> {
  return (await findGroup(tx, { id })) ?? fail(scimFaults.groupNotFound())
}
