import type { CleanupJob } from '#atrium'
import { removeOldEvents } from './events.store.ts'

/** Removes events older than this many days, the oldest first; with 0 they stay forever. */
export function oldEvents(days: number): CleanupJob[] {
  if (days === 0) return []
  return [{ what: 'old events', remove: async (tx, most) => (await removeOldEvents(tx, { days, most })).affected }]
}
