import { domain, searchables, usages } from '#atrium'
import { dependents, people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { ownedProjects } from './projects.actions.ts'
import { projectEvents } from './projects.events.ts'
import { projectRoutes } from './projects.routes.ts'
import { projectsSeenBy } from './projects.store.ts'
import { listSearchedProjects } from './searched.store.ts'
import { projectsUsed } from './usage.store.ts'

const words = {
  permissions: {
    'project:list': ['tenant-admin', 'user'],
    'project:create': ['tenant-admin', 'user'],
    'project:update': ['tenant-admin', 'user'],
    'project:manage': ['tenant-admin'],
  },
  resources: ['project'],
  activities: {
    project: [
      'PROJECT_CREATED',
      'PROJECT_UPDATED',
      'PROJECT_OWNER_CHANGED',
      'PROJECT_ARCHIVED',
      'PROJECT_UNARCHIVED',
      'PROJECT_MEMBER_ADDED',
      'PROJECT_MEMBER_REMOVED',
      'PROJECT_MEMBER_MADE_VIEWER',
      'PROJECT_VIEWER_MADE_MEMBER',
    ],
  },
  events: projectEvents,
  notifications: {
    PROJECT_HANDED_OVER: { en: '{name} is your project now', zh: '项目 {name} 已移交给您' },
    PROJECTS_HANDED_OVER: { en: '{count} projects are yours now', zh: '{count} 个项目已移交给您' },
    PROJECT_MEMBER_ADDED: { en: 'You were added to {name}', zh: '您已加入项目 {name}' },
  },
  sentences: {
    'Project not found': '项目不存在',
    'Only the owner of the project may do this, or a member who may manage all projects':
      '仅项目所有者，或有权管理所有项目的成员，可以执行此操作',
    'Viewers of a project read it and comment, and change nothing': '项目的查看者只能查看和评论，不能做任何更改',
    'The owner of a project cannot be a viewer of it': '项目所有者不能成为该项目的查看者',
    'The project is not archived': '项目未归档',
    'The project is archived': '项目已归档',
    'The project was changed by someone else': '项目已被他人修改',
    'read the project and try again': '请刷新项目后重试',
    'This project code is taken': '该项目编码已被使用',
    'The end date lies before the start date': '结束日期早于开始日期',
    'must not lie before startDate': '不能早于 startDate',
    'The owner cannot leave the project': '项目所有者不能退出项目',
    'The member still has open tasks in this project': '该成员在项目中仍有未完成的任务',
    'owns project {id}': '是项目 {id} 的所有者',
    'task {id} is still open': '任务 {id} 尚未完成',
  },
} as const

declare module '#atrium' {
  interface Domains {
    projects: typeof words
  }
}

export const projects = domain({
  name: 'projects',
  uses: [people, roles],
  ...words,
  tags: {
    projects: { description: 'Projects, their members and their history.', paths: ['/projects'] },
  },
  provides: [
    dependents.by({ columns: ['projects.ownerId'], work: ownedProjects }),
    searchables.by({
      type: 'project',
      seenBy: (user) => (user.permissions.has('project:list') ? projectsSeenBy(user) : undefined),
      list: listSearchedProjects,
    }),
    usages.by(projectsUsed),
  ],
  routes: projectRoutes,
})
