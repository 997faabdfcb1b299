import type { Config, PartOf } from '#atrium'

const DAY_MS = 86_400_000

/** What a tenant has set for its people. `sessionDays` is null until it is set: then the operator's lifetime applies. */
export type Policy = PartOf<
  'tenants',
  ('locale' | 'timeZone' | 'secondFactor' | 'firstPassword') | ('passwordMinLength' | 'sessionDays' | 'invitationDays')
>

/** For so long the closing of a tenant can be taken back. */
const CLOSING_DAYS = 30

/** When a tenant that is closed now is erased. */
export function closingUntil(now: string): string {
  return new Date(Date.parse(now) + CLOSING_DAYS * DAY_MS).toISOString()
}

/** Whether the people of a tenant may enter it. @param now ms since 1970 */
export function isOpen({ status, expiredAt }: { status: string; expiredAt: string | null }, now: number): boolean {
  return status === 'active' && (expiredAt === null || Date.parse(expiredAt) > now)
}

/** As the API shows it: `eraseAt` is there only while it is closing. */
export function shownTenant<T extends { eraseAt: string | null }>({ eraseAt, ...tenant }: T) {
  return { ...tenant, ...(eraseAt !== null && { eraseAt }) }
}

const MOST_SESSION_DAYS = 90

/** How long a session lasts without being continued. @param usual the operator's lifetime, in seconds like the result */
export function sessionSecondsOf({ sessionDays }: Pick<Policy, 'sessionDays'>, usual: number): number {
  return sessionDays === null ? usual : (sessionDays * DAY_MS) / 1000
}

/** The same in whole days, as the settings show it. */
export function sessionDaysOf(policy: Pick<Policy, 'sessionDays'>, usual: number): number {
  const days = Math.round((sessionSecondsOf(policy, usual) * 1000) / DAY_MS)
  return Math.min(Math.max(days, 1), MOST_SESSION_DAYS)
}

/**
 * Sessions that were last continued before this moment have ended under these settings. It is stored with the next
 * settings, so that a longer time does not bring such sessions back.
 */
export function sessionsSinceOf(
  { sessionDays, sessionsSince }: Pick<Policy, 'sessionDays'> & { sessionsSince: string | null },
  now: string,
): string | null {
  if (sessionDays === null) return sessionsSince
  const ended = Date.parse(now) - sessionDays * DAY_MS
  return new Date(sessionsSince === null ? ended : Math.max(ended, Date.parse(sessionsSince))).toISOString()
}

/** The offer for a tenant, in CNY; undefined if it does not expire, or if the operator offers nothing for its plan. */
export function renewalOf(
  renewals: Config['renewals'],
  { plan, expiredAt }: { plan: string; expiredAt: string | null },
) {
  return expiredAt && renewals && Object.hasOwn(renewals, plan) ? renewals[plan] : undefined
}

/** When a tenant that is renewed now expires: days that are left are kept, and days that have passed are not charged. */
export function extended(expiredAt: string, days: number, now: string): string {
  const from = Math.max(Date.parse(expiredAt), Date.parse(now))
  return new Date(from + days * DAY_MS).toISOString()
}
