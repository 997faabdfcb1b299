import { fault } from '#atrium'

export const settingsFaults = {
  changed: fault('VERSION_CONFLICT', 409, 'The settings were changed by someone else'),
}

const DAY_MS = 86_400_000

/** So many days before a tenant expires, its administrators are notified. */
export const NOTICE_DAYS = [14, 3, 0] as const

/**
 * Which notice is due: the one with the fewest days that has been reached; undefined if none has, or if the tenant has
 * expired. A service that was down for a while sends only the latest one.
 */
export function noticeDue(expiredAt: string, now: string): number | undefined {
  const left = Date.parse(expiredAt) - Date.parse(now)
  if (left <= 0) return undefined
  return NOTICE_DAYS.findLast((days) => left < (days + 1) * DAY_MS)
}
