import { domain } from '../domain.ts'
import { people } from '../people/people.domain.ts'
import { notificationRoutes } from './notifications.routes.ts'

const words = {
  sentences: {
    'must be the id of an event': '必须是事件编号',
    'Notification not found': '通知不存在',
  },
} as const

declare module '../../kernel/domain.ts' {
  interface Domains {
    notifications: typeof words
  }
}

export const notifications = domain({
  name: 'notifications',
  uses: [people],
  ...words,
  tags: {
    notifications: { description: "Everyone's own inbox.", paths: ['/notifications'] },
  },
  routes: notificationRoutes,
})
