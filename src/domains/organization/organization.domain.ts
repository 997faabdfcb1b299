import { domain } from '#atrium'
import { dependents, people } from '#atrium/people'
import { ledDepartments } from './hand-over.actions.ts'
import { organizationEvents } from './organization.events.ts'
import { organizationRoutes } from './organization.routes.ts'
import { removeFromDepartments } from './organization.store.ts'

const words = {
  permissions: { 'department:list': ['tenant-admin', 'user'], 'department:manage': ['tenant-admin'] },
  resources: ['department'],
  notifications: { DEPARTMENT_HANDED_OVER: { en: 'You lead {name} now', zh: '您现在是部门 {name} 的负责人' } },
  events: organizationEvents,
  sentences: {
    'Department not found': '部门不存在',
    'leads department {id}': '是部门 {id} 的负责人',
    'it has children ({count})': '仍有 {count} 个下级部门',
    'it has members ({count})': '仍有 {count} 名成员',
    'it has approvals ({count})': '仍有 {count} 个待处理的审批',
    'Organization not found': '组织不存在',
    'The department was changed by someone else': '该部门已被他人修改',
    'Parent department not found': '上级部门不存在',
    'This department code is taken': '该部门编码已被使用',
    'Departments can lie 64 levels deep at most': '部门层级最多 64 级',
    'A department cannot lie below itself': '部门不能移动到自身或其下级之下',
    'The department is still in use': '该部门仍在使用中',
    'This person leads a department and cannot leave it': '该成员是部门负责人，不能离开部门',
    'Requests are waiting for this leader; name another one first': '仍有审批等待该负责人处理，请先指定新的负责人',
    'lies below this department': '是该部门的下级',
  },
} as const

declare module '#atrium' {
  interface Domains {
    organization: typeof words
  }
}

export const organization = domain({
  name: 'organization',
  uses: [people],
  ...words,
  tags: {
    organization: {
      description: 'The organization and its tree of departments.',
      paths: ['/organizations', '/departments'],
    },
  },
  provides: [
    dependents.by({ columns: ['departments.leaderId'], work: ledDepartments }),
    dependents.by({ columns: ['departmentMembers.userId'], end: removeFromDepartments }),
  ],
  routes: organizationRoutes,
})
