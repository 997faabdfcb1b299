import { fail, faults, type Tx } from '#atrium'
import { lockStaff } from '#atrium/organization'
import { NO_PASSWORD, peopleFaults } from '#atrium/people'
import { addUser, renameUser, updateUser } from '#atrium/users'
import { contactOf, extrasOf, type Person, personView } from './people.rules.ts'
import { type Operation, patched } from './protocol/patch.rules.ts'
import { USER_ATTRIBUTES } from './protocol/resources.rules.ts'
import { PasswordOnly, read, UserResource } from './scim.schemas.ts'
import { findPerson, saveScimUser } from './scim.store.ts'

/**
 * Makes a user, with the role `user`. Without a password they sign in when they have chosen one, or where the tenant's
 * directory is. @throws USERNAME_TAKEN, NICKNAME_TAKEN, PERMISSION_DENIED
 */
export async function createPerson(tx: Tx, resource: UserResource, passwordHash?: string): Promise<Person> {
  const contact = contactOf(resource)
  const draft = { username: resource.userName, ...contact, roleIds: undefined, mustChangePassword: undefined }
  const { id } = await addUser(
    tx,
    passwordHash ? draft : { ...draft, mustChangePassword: false },
    passwordHash ?? NO_PASSWORD,
  )
  saveScimUser(tx, { userId: id, ...extrasOf(resource) })
  return getPerson(tx, id)
}

/** Replaces what a directory says of a user. @throws NOT_FOUND, PERMISSION_DENIED, RESERVED, LAST_ADMINISTRATOR, USERNAME_TAKEN, NICKNAME_TAKEN */
export async function replacePerson(
  tx: Tx,
  id: number,
  resource: UserResource,
  passwordHash?: string,
): Promise<Person> {
  return save(tx, await lockPerson(tx, id), resource, passwordHash)
}

/**
 * The password that these steps set, if any. It has to be hashed before the transaction, which it would hold up.
 * @throws INVALID_PATH, INVALID_SYNTAX, NOT_MUTABLE, VALIDATION_FAILED
 */
export function passwordIn(operations: readonly Operation[]): Pick<UserResource, 'password'> {
  return read(PasswordOnly, patched({}, operations, USER_ATTRIBUTES), USER_ATTRIBUTES)
}

/** Changes a user step by step. @throws as above, INVALID_PATH, INVALID_SYNTAX, NOT_MUTABLE, VALIDATION_FAILED */
export async function patchPerson(
  tx: Tx,
  id: number,
  operations: readonly Operation[],
  passwordHash?: string,
): Promise<Person> {
  const before = await lockPerson(tx, id)
  const { id: _, schemas, groups, meta, ...resource } = personView(before, '')
  const after = patched(resource, operations, USER_ATTRIBUTES)
  return save(tx, before, read(UserResource, after, USER_ATTRIBUTES), passwordHash)
}

/** Ends what a user can do. @throws NOT_FOUND, PERMISSION_DENIED, RESERVED, LAST_ADMINISTRATOR */
export async function deactivatePerson(tx: Tx, id: number): Promise<void> {
  await updateUser(tx, id, { ...UNCHANGED, status: 'disabled' }, undefined)
}

const UNCHANGED = { roleIds: undefined, selfRegistered: undefined }

/** A person as they are until this transaction ends. */
async function lockPerson(tx: Tx, id: number): Promise<Person> {
  const [, found] = await tx.inOrder([lockStaff(tx, {}), findPerson(tx, { id })])
  return found ?? fail(peopleFaults.notFound())
}

async function save(tx: Tx, before: Person, resource: UserResource, passwordHash?: string): Promise<Person> {
  const { id } = before
  const contact = contactOf(resource, before)
  // Of their own account a person changes these with the present password only, which SCIM cannot carry.
  const isOwn = id === tx.actor.id && tx.tenantId === tx.actor.tenantId
  if (isOwn && (passwordHash || contact.email !== before.email)) throw faults.permissionDenied()
  await updateUser(tx, id, { ...contact, ...UNCHANGED }, passwordHash)
  if (resource.userName !== before.username) await renameUser(tx, id, resource.userName)
  saveScimUser(tx, { userId: id, ...extrasOf(resource) })
  return getPerson(tx, id)
}

async function getPerson(tx: Tx, id: number): Promise<Person> {
  return (await findPerson(tx, { id })) ?? fail(peopleFaults.notFound())
}
