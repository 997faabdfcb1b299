import type { Detail, Scope, Tx } from '#atrium'
import { addressOfKey, type FileHolder, publishFiles } from '#atrium/files'
import { findAvatar, listPictured, saveAvatar } from './avatars.store.ts'

/**
 * Gives the actor a picture, which the public can then read, or takes it away. The file stays when another follows.
 * @throws NOT_FOUND, PERMISSION_DENIED, VALIDATION_FAILED
 */
export async function changeAvatar(tx: Tx, key: string | null): Promise<void> {
  const { id } = tx.actor
  const avatar = key?.split('/')[1] ?? null
  if (key !== null && key !== `${tx.tenantId}/${(await findAvatar(tx, { id }))?.avatar}`)
    await publishFiles(tx, [{ path: 'body.avatarKey', text: addressOfKey(key), isPicture: true }])
  saveAvatar(tx, { id, avatar })
}

export async function isAvatar(scope: Scope, filename: string): Promise<boolean> {
  return (await listPictured(scope, { filename })).length > 0
}

async function peoplePictured(scope: Scope, filename: string): Promise<Detail[]> {
  const people = await listPictured(scope, { filename })
  return people.map(({ id }) => ({ path: 'users', id, message: 'it is the picture of user {id}' }))
}

export const avatars: FileHolder = { columns: ['users.avatar'], usesOf: peoplePictured }
