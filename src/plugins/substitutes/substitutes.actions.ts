import { type Actor, fail, type Tx, type UserId } from '#atrium'
import { findCandidate, tellSubstitute } from '#atrium/approvals'
import { lockStaff } from '#atrium/organization'
import type { Dependent } from '#atrium/people'
import { assertCovers, listRolesHeld, loadAuthority } from '#atrium/roles'
import { getPolicy } from '#atrium/tenants'
import type { SubstituteView } from '#atrium/users'
import { assertMayStandIn, isWithin, periodOf, substituteFaults } from './substitutes.rules.ts'
import type { SubstituteDraft } from './substitutes.schemas.ts'
import { findSubstitute, listAble, removeStandIns, removeSubstitute, saveSubstitute } from './substitutes.store.ts'

/**
 * Names the substitute of a person, instead of any other. Both are notified, and the substitute also of what waits if
 * the period has begun. The lock keeps out requests that are being submitted, so each is announced once.
 * @throws NOT_FOUND, PERMISSION_DENIED, VALIDATION_FAILED, SUBSTITUTE_CANNOT_DECIDE, DATE_ORDER
 */
export async function nameSubstitute(tx: Tx, userId: UserId, draft: SubstituteDraft): Promise<SubstituteView> {
  const [, person, held, authority, substitute, before, { timeZone }] = await tx.inOrder([
    lockStaff(tx, {}),
    findCandidate(tx, { id: userId }),
    listRolesHeld(tx, { userId }),
    loadAuthority(tx),
    findCandidate(tx, { id: draft.userId }),
    findSubstitute(tx, { userId }),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  if (!person) throw substituteFaults.userNotFound()
  assertCovers(authority, held, 'id')
  assertMayStandIn(userId, substitute, draft)
  const { id: substituteId, name } = substitute!
  const period = periodOf(draft, timeZone)
  const isTheSame = before?.substituteId === substituteId
  const begun = isWithin(period, tx.now)
  const { from, until } = draft
  const days = { from, until }
  saveSubstitute(tx, { userId, substituteId, fromDay: from, untilDay: until, ...period, begun, createdAt: tx.now })
  tx.record({ event: 'user.substitute_named', subject: userId, data: { substituteId, ...days } })
  if (before && !isTheSame) tellEnd(tx, before.substituteId, person)
  const about = { facts: days, resourceType: 'user' } as const
  tx.notify({ type: 'SUBSTITUTE_FOR', ...about, resourceId: userId, receivers: [substituteId] })
  tx.notify({ type: 'SUBSTITUTE_NAMED', ...about, resourceId: substituteId, receivers: [userId] })
  if (begun && !(isTheSame && before?.begun)) await tellSubstitute(tx, { userId, substituteId })
  return { userId: substituteId, name, ...days }
}

/** The person decides alone again; does nothing if they have no substitute. @throws NOT_FOUND */
export async function dismissSubstitute(tx: Tx<Actor>, userId: UserId): Promise<void> {
  const [, person, before] = await tx.inOrder([
    lockStaff(tx, {}),
    findCandidate(tx, { id: userId }),
    findSubstitute(tx, { userId }),
  ])
  if (!before) return
  removeSubstitute(tx, { userId })
  tx.record({ event: 'user.substitute_dismissed', subject: userId, data: { substituteId: before.substituteId } })
  tellEnd(tx, before.substituteId, person ?? fail(substituteFaults.userNotFound()))
}

/**
 * A deleted person neither has a substitute nor is one. Of a substitute who cannot decide any more, the person is notified;
 * such a one stays, and decides again when they can.
 */
export const substitutionsOfPerson: Dependent = {
  columns: ['substitutes.userId', 'substitutes.substituteId'],
  end(tx, p) {
    removeSubstitute(tx, p)
    removeStandIns(tx, p)
  },
  withdraw: (tx, { userId }) => dismissSubstitute(tx, userId),
  async watch(tx, { userId, departmentId }) {
    const of = userId === undefined ? {} : { substituteId: userId }
    const before = departmentId === undefined ? await listAble(tx, of) : []
    return async () => {
      if (before.length === 0) return
      const after = new Set((await listAble(tx, of)).map((one) => one.userId))
      for (const { userId, ...substitute } of before) if (!after.has(userId)) tellEnd(tx, userId, substitute)
    }
  },
}

function tellEnd(tx: Tx<Actor>, receiver: UserId, { id }: { id: UserId }): void {
  tx.notify({ type: 'SUBSTITUTE_DISMISSED', facts: {}, resourceType: 'user', resourceId: id, receivers: [receiver] })
}
