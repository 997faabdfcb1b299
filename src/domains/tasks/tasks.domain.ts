import { domain, searchables, tableOf } from '#atrium'
import { fileResources, files } from '#atrium/files'
import { dependents, people } from '#atrium/people'
import { memberWork, projects } from '#atrium/projects'
import { roles } from '#atrium/roles'
import { overdueTasks } from './bin/bin.actions.ts'
import { filesOfTasks } from './files-of-tasks.ts'
import { assignedTasks } from './passing/hand-over.actions.ts'
import { openTasksOfMember } from './tasks.actions.ts'
import { taskEvents } from './tasks.events.ts'
import { taskRoutes } from './tasks.routes.ts'
import { TASK_MOVES } from './tasks.rules.ts'
import { listSearchedTasks } from './tasks.store.ts'

const words = {
  permissions: {
    'task:create': ['tenant-admin', 'user'],
    'task:update': ['tenant-admin', 'user'],
  },
  resources: ['task'],
  activities: {
    task: [
      ...['TASK_CREATED', 'FIELD_CHANGED', 'TASK_ASSIGNED', 'STATUS_CHANGED', 'COMMENT_ADDED'],
      ...['COMMENT_EDITED', 'COMMENT_DELETED'],
      ...['FILE_ATTACHED', 'FILE_DETACHED', 'TASK_DELETED', 'TASK_RESTORED'],
    ],
    project: ['TASK_DELETED', 'TASK_RESTORED'],
  },
  events: taskEvents,
  notifications: {
    TASK_ASSIGNED: { en: 'You were assigned {title}', zh: '您被指派了任务 {title}' },
    TASKS_HANDED_OVER: { en: '{count} tasks are yours now', zh: '{count} 个任务已移交给您' },
    TASK_DELETED: { en: '{title} was deleted', zh: '任务 {title} 已被删除' },
    TASK_COMMENTED: { en: 'New comment on {title}', zh: '{title} 有新评论' },
  },
  sentences: {
    'Task not found': '任务不存在',
    'The task has no such comment': '任务没有这条评论',
    'Only its author may change a comment; the owner of the project may delete it too':
      '只有作者可以修改评论；项目所有者也可以删除评论',
    'task {id} is open': '任务 {id} 尚未完成',
    'The task is finished and cannot be changed': '任务已结束，不能再修改',
    'The task cannot move to this status': '任务不能变更为该状态',
    '{from} can move to {allowed}': '{from} 只能变更为 {allowed}',
    'The assignee is not a member of the project': '执行人不是项目成员',
    'must be a member of the project who can read its tasks': '必须是能查看任务的项目成员',
    'Only the reporter of the task or the owner of its project may do this, or a member who may manage all projects':
      '仅任务报告人、项目所有者，或有权管理所有项目的成员，可以执行此操作',
    'The task is not deleted': '任务未被删除',
    'The task was changed by someone else': '任务已被他人修改',
    'is named twice': '重复出现',
    'read the task and try again': '请刷新任务后重试',
  },
} as const

declare module '#atrium' {
  interface Domains {
    tasks: typeof words
  }
}

export const tasks = domain({
  name: 'tasks',
  uses: [files, people, projects, roles],
  ...words,
  tags: {
    tasks: {
      description: `Tasks, their comments and their history.\n\n${tableOf(TASK_MOVES)}`,
      paths: ['/projects/:id/tasks', '/tasks'],
    },
  },
  provides: [
    memberWork.by(openTasksOfMember),
    fileResources.by(filesOfTasks),
    searchables.by({ type: 'task', seenBy: filesOfTasks.seenBy, list: listSearchedTasks }),
    dependents.by({ columns: ['tasks.assigneeId'], work: assignedTasks }),
  ],
  cleanups: (config) => [overdueTasks(config)],
  routes: taskRoutes,
})
