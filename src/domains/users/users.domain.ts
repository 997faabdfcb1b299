import { domain } from '#atrium'
import { auth } from '#atrium/auth'
import { files } from '#atrium/files'
import { organization } from '#atrium/organization'
import { people } from '#atrium/people'
import { projects } from '#atrium/projects'
import { roles } from '#atrium/roles'
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
    'This person cannot take over what is handed over': '该用户无法接手这些工作',
    'This is more than one hand-over can pass on': '工作数量超过一次移交的上限',
    'must be another person': '必须是另一位用户',
    'lacks {permission}, which {kind} need': '缺少 {kind} 所需的 {permission} 权限',
    'more than {limit} {kind}': '{kind} 超过 {limit} 项',
    'The user was changed by someone else': '该用户已被他人修改',
    'can only be cleared': '只能取消，不能设置',
    'The system administrator stays as they are': '系统管理员的账号不能变更',
    'The tenant would be left without an active administrator': '租户至少需要保留一名启用中的管理员',
    'This person still has work that nobody else would do': '该用户仍有未交接的工作',
  },
} as const

declare module '#atrium' {
  interface Domains {
    users: typeof words
  }
}

export const users = domain({
  name: 'users',
  uses: [auth, files, organization, people, projects, roles, tenants],
  ...words,
  tags: { users: { description: 'The people of a tenant.', paths: ['/users'] } },
  commands: () => import('./users.commands.ts'),
  routes: userRoutes,
})
