import { domain, removing } from '#atrium'
import { auth } from '#atrium/auth'
import { people } from '#atrium/people'
import { projects } from '#atrium/projects'
import { roles } from '#atrium/roles'
import { tasks } from '#atrium/tasks'
import { tenants } from '#atrium/tenants'
import { calendarRoutes } from './calendar.routes.ts'
import { removeOldRounds } from './reminders.store.ts'
import { reminders } from './reminders.ts'

const words = {
  notifications: {
    TASK_DUE: { en: '{title} is due on {date}', zh: '任务 {title} 将于 {date} 到期' },
  },
  sentences: {
    'Calendar not found': '日历不存在',
  },
} as const

declare module '#atrium' {
  interface Domains {
    calendar: typeof words
  }
}

export default domain({
  name: 'calendar',
  about: 'Due tasks as a calendar feed, and reminders of them',
  uses: [auth, people, projects, roles, tasks, tenants],
  ...words,
  tags: {
    calendar: {
      description:
        'Tasks with a due date: a feed for calendar programs, and a notification (`TASK_DUE`) on the day before and on the day itself, at eight in the time zone of the tenant.',
      paths: ['/users/me/calendar-key', '/calendar'],
    },
  },
  jobs: () => [reminders],
  cleanups: () => [removing('old rounds of reminders', removeOldRounds)],
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: calendarRoutes,
})
