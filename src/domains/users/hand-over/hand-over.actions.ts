import { faults, type Scope, type Tx, type User } from '#atrium'
import { lockStaff } from '#atrium/organization'
import { type Held, kindsOfWork, MOST_HANDED_OVER } from '#atrium/people'
import { listRolesHeld, loadAuthority } from '#atrium/roles'
import { getAccount, getUser } from '../users.store.ts'
import { assertMayHandOver } from './hand-over.rules.ts'

/** How much of each kind an answer lists. */
const MOST_LISTED = 1000

/**
 * What a person is responsible for, by kind; the first thousand of each. Only administrators see everything of a tenant,
 * so anyone else who manages people reads no names. @throws NOT_FOUND
 */
export async function listResponsibilities(
  scope: Scope,
  userId: number,
  { isAdministrator }: Pick<User, 'isAdministrator'>,
): Promise<Record<string, Held[]>> {
  const kinds = kindsOfWork()
  const [, ...held] = await Promise.all([
    getAccount(scope, { id: userId }),
    ...kinds.map((kind) => kind.list(scope, { userId, most: MOST_LISTED })),
  ])
  const shown = isAdministrator ? held : held.map((list) => list.map(({ id }) => ({ id, name: '' })))
  return Object.fromEntries(kinds.map(({ kind }, at) => [kind, shown[at]!]))
}

/**
 * Passes everything that a person or a service account is responsible for to a person, so that nothing keeps it from being
 * deleted. A person stays a member of their projects and of their department.
 * @returns how much of each kind was passed on
 * @throws NOT_FOUND, PERMISSION_DENIED, VALIDATION_FAILED, CANNOT_TAKE_OVER, TOO_MUCH_AT_ONCE, MEMBER_IS_LEADER
 */
export async function handOver(tx: Tx, fromId: number, toId: number): Promise<Record<string, number>> {
  // A key changes nothing of its own account.
  if (tx.actor.key && tx.actor.id === fromId && tx.actor.tenantId === tx.tenantId) throw faults.permissionDenied()
  const kinds = kindsOfWork()
  const [, from, heldRoles, to, theirRoles, authority, ...held] = await tx.inOrder([
    lockStaff(tx, {}),
    getAccount(tx, { id: fromId }),
    listRolesHeld(tx, { userId: fromId }),
    getUser(tx, { id: toId }),
    listRolesHeld(tx, { userId: toId }),
    loadAuthority(tx),
    ...kinds.map((kind) => kind.list(tx, { userId: fromId, most: MOST_HANDED_OVER + 1 })),
  ])
  const loads = kinds.map((kind, at) => ({ kind, held: held[at]! }))
  assertMayHandOver({ ...from, roles: heldRoles }, { ...to, roles: theirRoles }, loads, authority)
  const counts: Record<string, number> = {}
  // One after the other: what one kind locks, it reads afterwards.
  for (const one of kinds) counts[one.kind] = await one.handOver(tx, fromId, toId)
  return counts
}
