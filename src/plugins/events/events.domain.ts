import { type CleanupJob, domain, removing } from '#atrium'
import { eventRoutes } from './events.routes.ts'
import { removeOldEvents } from './events.store.ts'

const words = {
  permissions: { 'event:view': ['tenant-admin'] },
  sentences: { 'must be types of events': '必须是事件类型' },
} as const

declare module '#atrium' {
  interface Domains {
    events: typeof words
  }
}

/** Removes events older than this many days, the oldest first; with 0 they stay forever. */
export function oldEvents(days: number): CleanupJob[] {
  if (days === 0) return []
  return [removing('old events', (tx, { most }) => removeOldEvents(tx, { days, most }))]
}

export default domain({
  name: 'events',
  about: 'The event log of a tenant, for other systems',
  ...words,
  tags: {
    events: { description: 'The event log: what has happened in the tenant, for other systems.', paths: ['/events'] },
  },
  cleanups: ({ eventsDays }) => oldEvents(eventsDays),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: eventRoutes,
})
