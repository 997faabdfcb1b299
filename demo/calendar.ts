/**
 * The story counts working minutes from a Monday in May, so that no one works at night or on a Sunday. It also ends at
 * a fixed moment: the same content on every run, on any day.
 */
const MONDAY = Date.UTC(2026, 4, 18, 7, 30)
export const DAY = 9 * 60
export const WEEK = 5 * DAY
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']
/** Friday, 13 November 2026, in the afternoon. */
export const TODAY = 26 * WEEK - 40

function timeOf(minute: number): Date {
  const day = Math.floor(minute / DAY)
  const days = Math.floor(day / 5) * 7 + (day % 5)
  return new Date(MONDAY + days * 86_400_000 + Math.round((minute % DAY) * 60_000))
}

export function instantOf(minute: number): string {
  return timeOf(minute).toISOString()
}

/** yyyy-MM-dd */
export function dateOf(minute: number): string {
  return instantOf(minute).slice(0, 10)
}

export function weekdayOf(minute: number): string {
  return WEEKDAYS[Math.floor(minute / DAY) % 5]!
}

/** `13 November`, for progress messages. */
export function spokenDateOf(minute: number): string {
  return timeOf(minute).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
}
