import { domain } from '#atrium'
import { people } from '#atrium/people'
import { projects } from '#atrium/projects'
import { roles } from '#atrium/roles'
import { commentFields, taskFollowers, tasks } from '#atrium/tasks'
import { watchers } from './followers.ts'
import { mentions } from './mentions.ts'
import { watchingRoutes } from './watching.routes.ts'

const words = {
  notifications: {
    TASK_MENTIONED: { en: 'You were mentioned on {title}', zh: '有人在任务 {title} 中提到了您' },
    TASK_CHANGED: { en: 'Changed on {title}: {what}', zh: '任务 {title} 有变化：{what}' },
    TASKS_CHANGED: { en: '{count} tasks that you watch have changed', zh: '您关注的 {count} 个任务有变化' },
  },
  sentences: {
    'Only people who see the project can be mentioned': '只能提及能查看该项目的人员',
    'must see the project': '必须能查看该项目',
    'must name each person once': '每个人只能出现一次',
    'new comment': '新评论',
    status: '状态',
    assignee: '执行人',
    'due date': '截止日期',
    deleted: '已删除',
  },
} as const

declare module '#atrium' {
  interface Domains {
    watching: typeof words
  }
}

export default domain({
  name: 'watching',
  about: 'People watch tasks and projects, and mention each other in comments',
  uses: [people, projects, roles, tasks],
  ...words,
  tags: {
    watching: {
      description: 'Who watches tasks and projects, and is notified of what happens there.',
      paths: ['/tasks/:id/watch', '/tasks/:id/watchers', '/projects/:id/watch', '/users/me/watching'],
    },
  },
  provides: [commentFields.by(mentions), taskFollowers.by(watchers)],
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: watchingRoutes,
})
