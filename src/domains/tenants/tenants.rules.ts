import type { Config } from '#atrium'

const DAY_MS = 86_400_000

/** What the operator asks for another period of a plan. */
export interface Renewal {
  /** in CNY */
  amountCents: number
  days: number
}

/** The offer for a tenant; undefined if it does not expire, or if the operator offers nothing for its plan. */
export function renewalOf(
  renewals: Config['renewals'],
  { plan, expiredAt }: { plan: string; expiredAt: string | null },
): Renewal | undefined {
  return expiredAt && renewals && Object.hasOwn(renewals, plan) ? renewals[plan] : undefined
}

/** When a tenant that is renewed now expires: days that are left are kept, and days that have passed are not charged. */
export function extended(expiredAt: string, days: number, now: string): string {
  const from = Math.max(Date.parse(expiredAt), Date.parse(now))
  return new Date(from + days * DAY_MS).toISOString()
}
