import { type Detail, fault, faults, type Permission, type UserId } from '#atrium'
import { type Held, MOST_HANDED_OVER, peopleFaults, type Work } from '#atrium/people'
import { type Authority, assertCovers, type RoleHeld } from '#atrium/roles'

export const handOverFaults = {
  cannotTakeOver: fault('CANNOT_TAKE_OVER', 400, 'This person cannot take over what is handed over'),
  tooMuch: fault('TOO_MUCH_AT_ONCE', 409, 'This is more than one hand-over can pass on'),
}

/** A person in a hand-over, on either side. */
export interface Party {
  id: UserId
  status: 'active' | 'disabled'
  roles: readonly RoleHeld[]
}

/** A kind of work with what the person has of it. */
export interface Load {
  kind: Pick<Work, 'kind' | 'needs'>
  held: readonly Held[]
}

/**
 * Nobody hands over for or to a person with rights that they lack. The next person must be another, be able to sign in,
 * and be permitted what the work needs.
 * @throws PERMISSION_DENIED, VALIDATION_FAILED, NOT_FOUND, CANNOT_TAKE_OVER, TOO_MUCH_AT_ONCE
 */
export function assertMayHandOver(from: Party, to: Party, loads: readonly Load[], authority: Authority): void {
  assertCovers(authority, from.roles, 'id')
  assertCovers(authority, to.roles, 'body.toUserId')
  if (from.id === to.id) throw faults.validation([{ path: 'body.toUserId', message: 'must be another person' }])
  if (to.status !== 'active') throw peopleFaults.notFound()
  const there = loads.filter(({ held }) => held.length > 0)
  const lacking = there.flatMap(({ kind: { kind, needs } }) =>
    needs && !permits(to, needs) ? [lacks(kind, needs)] : [],
  )
  if (lacking.length) throw handOverFaults.cannotTakeOver(lacking)
  const large = there.filter(({ held }) => held.length > MOST_HANDED_OVER)
  if (large.length) throw handOverFaults.tooMuch(large.map(({ kind: { kind } }) => overflows(kind)))
}

function permits({ roles }: Party, permission: Permission): boolean {
  return roles.some(({ permissions }) => permissions.includes(permission))
}

function lacks(kind: string, permission: Permission): Detail {
  return { path: 'body.toUserId', kind, permission, message: 'lacks {permission}, which {kind} need' }
}

function overflows(kind: string): Detail {
  return { path: kind, kind, limit: MOST_HANDED_OVER, message: 'more than {limit} {kind}' }
}
