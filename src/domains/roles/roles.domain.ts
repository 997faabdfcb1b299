import { catalogue, domain } from '#atrium'
import { menuAudience, menus } from '#atrium/menus'
import { organization } from '#atrium/organization'
import { dependents, people } from '#atrium/people'
import { writeCatalogue } from './catalogue.ts'
import { seenByRoles } from './roles.actions.ts'
import { roleRoutes } from './roles.routes.ts'
import { roleEvents } from './roles.schemas.ts'
import { removeUserRoles } from './roles.store.ts'

const words = {
  permissions: {
    'role:list': ['tenant-admin'],
    'role:create': ['tenant-admin'],
    'role:update': ['tenant-admin'],
    'role:delete': ['tenant-admin'],
    'role:permission': ['tenant-admin'],
  },
  events: roleEvents,
  sentences: {
    'Role not found': '角色不存在',
    'Permission not found': '权限不存在',
    'This code is reserved for a role of the service': '该编码为系统角色保留',
    'The code of a role does not change': '角色编码不能修改',
    'This role is part of the service: it can be neither deleted nor renamed': '系统内置角色不能删除或重命名',
    'Administrators keep what they hold': '管理员角色的授权不能修改',
    'Somebody still holds this role': '仍有用户拥有该角色',
    'user {id} holds the role': '用户 {id} 拥有该角色',
    'does not change': '不能修改',
    'do not change': '不能修改',
    'This permission code is taken': '该权限编码已被使用',
    'This permission is part of the service': '系统内置权限不能修改或删除',
    'A role still holds this permission': '仍有角色拥有该权限',
    'must be a domain and an action, joined by a colon': '必须由模块和操作组成，并以冒号分隔',
  },
} as const

declare module '#atrium' {
  interface Domains {
    roles: typeof words
  }
}

export const roles = domain({
  name: 'roles',
  uses: [menus, organization, people],
  ...words,
  tags: {
    roles: { description: 'Roles and the catalogue of permissions.', paths: ['/roles', '/permissions'] },
  },
  provides: [
    catalogue.by(writeCatalogue),
    menuAudience.by(seenByRoles),
    dependents.by({ columns: ['userRoles.userId'], end: removeUserRoles }),
  ],
  routes: roleRoutes,
})
