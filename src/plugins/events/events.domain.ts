import { domain } from '#atrium'
import { oldEvents } from './events.cleanup.ts'
import { eventRoutes } from './events.routes.ts'

const words = {
  permissions: { 'event:view': ['tenant-admin'] },
  sentences: { 'must be types of events': '必须是事件类型' },
} as const

declare module '#atrium' {
  interface Domains {
    events: typeof words
  }
}

export default domain({
  name: 'events',
  about: 'The event log of a tenant, for other systems',
  ...words,
  tags: {
    events: { description: 'The event log: what has happened in the tenant, for other systems.', paths: ['/events'] },
  },
  cleanups: (config) => oldEvents(config.eventsDays),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: eventRoutes,
})
