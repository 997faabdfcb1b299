import { domain } from '#atrium'
import { account } from '#atrium/account'
import { approvals } from '#atrium/approvals'
import { auth } from '#atrium/auth'
import { files } from '#atrium/files'
import { organization } from '#atrium/organization'
import { people } from '#atrium/people'
import { projects } from '#atrium/projects'
import { roles } from '#atrium/roles'
import { secondFactor } from '#atrium/second-factor'
import { tasks } from '#atrium/tasks'
import { tenants } from '#atrium/tenants'
import { userRoutes } from './users.routes.ts'

const words = {
  permissions: {
    'user:list': ['tenant-admin'],
    'user:create': ['tenant-admin'],
    'user:update': ['tenant-admin'],
    'user:delete': ['tenant-admin'],
  },
  sentences: {
    'can only be cleared': '只能取消，不能设置',
    'The system administrator stays as they are': '系统管理员的账号不能变更',
    'The tenant would be left without an active administrator': '租户至少需要保留一名启用中的管理员',
    'This person still has work that nobody else would do': '该用户仍有未交接的工作',
    'owns project {id}': '是项目 {id} 的所有者',
    'request {id} is not decided': '审批 {id} 尚未处理',
    'task {id} is open': '任务 {id} 尚未完成',
  },
} as const

declare module '#atrium' {
  interface Domains {
    users: typeof words
  }
}

export const users = domain({
  name: 'users',
  uses: [account, approvals, auth, files, organization, people, projects, roles, secondFactor, tasks, tenants],
  ...words,
  tags: {
    users: { description: 'The people of a tenant.', paths: ['/users'] },
  },
  routes: userRoutes,
})
