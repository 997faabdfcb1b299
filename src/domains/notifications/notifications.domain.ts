import { domain } from '#atrium'
import { people } from '#atrium/people'
import { notificationRoutes } from './notifications.routes.ts'

const words = {
  sentences: {
    'Notification not found': '通知不存在',
  },
} as const

declare module '#atrium' {
  interface Domains {
    notifications: typeof words
  }
}

export const notifications = domain({
  name: 'notifications',
  uses: [people],
  ...words,
  tags: {
    notifications: { description: "The caller's own inbox.", paths: ['/notifications'] },
  },
  routes: notificationRoutes,
})
