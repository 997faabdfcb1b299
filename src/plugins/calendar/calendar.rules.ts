import { notFound } from '#atrium'

export const calendarFaults = {
  notFound: notFound('Calendar'),
}

/** Finished tasks stay in a calendar for so many days after they were due. */
export const KEPT_DAYS = 60

/** The day from which on finished tasks are shown. */
export function keptSince(now: Date): string {
  return new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString().slice(0, 10)
}
