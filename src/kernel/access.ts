/** The catalogue of permissions: a closed union, so a route cannot demand what nobody can hold. */
export const PERMISSIONS = [
  'user:list',
  'user:create',
  'user:update',
  'user:delete',
  'role:list',
  'role:create',
  'role:update',
  'role:delete',
  'menu:list',
  'menu:create',
  'menu:update',
  'menu:delete',
  'content:list',
  'content:create',
  'content:update',
  'content:delete',
  'dashboard:view',
  'role:permission',
  'log:view',
  'settings:view',
  'analytics:view',
  'data:view',
  'tenant:list',
  'department:list',
  'department:manage',
  'project:list',
  'project:create',
  'project:update',
  'task:create',
  'task:update',
  'approval:create',
  'approval:action',
  'audit:view',
  'file:upload',
] as const

export type Permission = (typeof PERMISSIONS)[number]

/** What a route demands: a permission, a valid token, or nothing. `system:` adds the system administrator's identity. */
export type Access = Permission | `system:${Permission}` | 'signed-in' | 'anyone'

/** The reserved roles: they cannot be deleted or renamed. */
export const ROLE = { admin: 'admin', tenantAdmin: 'tenant-admin', user: 'user' } as const

const withheldFromTenants: readonly Permission[] = ['tenant:list', 'menu:create', 'menu:update', 'menu:delete']

/** What each reserved role holds when it is made. */
export const ROLE_GRANTS: Record<string, readonly Permission[]> = {
  [ROLE.admin]: PERMISSIONS,
  [ROLE.tenantAdmin]: PERMISSIONS.filter((code) => !withheldFromTenants.includes(code)),
  [ROLE.user]: [
    'department:list',
    'project:list',
    'project:create',
    'project:update',
    'task:create',
    'task:update',
    'approval:create',
    'approval:action',
    'file:upload',
  ],
}
