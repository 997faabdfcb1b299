import { fault, faults, notFound, type PartOf, type UserId } from '#atrium'
import { dayAfter, startOfDay } from './start-of-day.ts'
import type { SubstituteDraft } from './substitutes.schemas.ts'

export const substituteFaults = {
  userNotFound: notFound('User'),
  cannotDecide: fault('SUBSTITUTE_CANNOT_DECIDE', 400, 'A substitute must be permitted to decide requests'),
  dateOrder: fault('DATE_ORDER', 400, 'The last day lies before the first day'),
}

/** A person who is not deleted, as needed to decide whether they can stand in. */
type Candidate = PartOf<'users', 'id' | 'status'> & { mayDecide: boolean }

/**
 * A substitute is another person who can sign in and is permitted to decide. An administrator may be one: the second
 * step is theirs anyway.
 * @throws VALIDATION_FAILED, NOT_FOUND, SUBSTITUTE_CANNOT_DECIDE, DATE_ORDER
 */
export function assertMayStandIn(userId: UserId, substitute: Candidate | undefined, draft: SubstituteDraft): void {
  if (draft.userId === userId) throw faults.validation([{ path: 'body.userId', message: 'must be somebody else' }])
  if (substitute?.status !== 'active') throw substituteFaults.userNotFound()
  if (!substitute.mayDecide)
    throw substituteFaults.cannotDecide([
      { path: 'body.userId', permission: 'approval:action', message: 'lacks {permission}' },
    ])
  if (draft.until < draft.from)
    throw substituteFaults.dateOrder([{ path: 'body.until', message: 'must not lie before the first day' }])
}

/** The period of whole days in a time zone, as instants; it ends before `endsAt`. */
export function periodOf({ from, until }: Pick<SubstituteDraft, 'from' | 'until'>, timeZone: string) {
  return { timeZone, startsAt: startOfDay(from, timeZone), endsAt: startOfDay(dayAfter(until), timeZone) }
}

/** Whether an instant lies in a period. All of them are ISO 8601 in UTC. */
export function isWithin({ startsAt, endsAt }: { startsAt: string; endsAt: string }, now: string): boolean {
  return startsAt <= now && now < endsAt
}
