import { fault } from '#atrium'

export const settingsFaults = {
  changed: fault('VERSION_CONFLICT', 409, 'The settings were changed by someone else'),
  secondFactorMissing: fault('SECOND_FACTOR_MISSING', 409, 'Add a second factor to your own account first'),
}

const DAY_MS = 86_400_000

/** Administrators are notified this many days before their tenant expires. */
export const NOTICE_DAYS = [14, 3, 0] as const

/**
 * The notice that is due: the reached one with the fewest days, or undefined if none is reached or the tenant has
 * expired. After downtime only the latest one is sent.
 */
export function noticeDue(expiredAt: string, now: string): number | undefined {
  const left = Date.parse(expiredAt) - Date.parse(now)
  if (left <= 0) return undefined
  return NOTICE_DAYS.findLast((days) => left < (days + 1) * DAY_MS)
}

/** The day of an instant in a time zone, as `2026-11-22`. @param timeZone a name that Intl knows */
export function dayIn(timeZone: string, instant: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(Date.parse(instant))
}
