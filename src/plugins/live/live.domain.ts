import { domain } from '#atrium'
import { notifications } from '#atrium/notifications'
import { people } from '#atrium/people'
import { liveRoutes } from './live.routes.ts'

const words = {
  sentences: { 'must be the id of an event': '必须是事件编号' },
} as const

declare module '#atrium' {
  interface Domains {
    live: typeof words
  }
}

export default domain({
  name: 'live',
  about: 'Notifications as they come',
  uses: [notifications, people],
  ...words,
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: liveRoutes,
})
