import type { Words } from '../extension.ts'
import { extensions } from '../extensions.ts'
import type { Permission } from './api.ts'
import { t } from './language.ts'

/** The permissions of the core, in words, by what they are about. */
export const PERMISSIONS: Readonly<Record<string, Words>> = {
  People: {
    'user:list': 'See people',
    'user:create': 'Add people',
    'user:update': 'Change people',
    'user:delete': 'Delete people',
  },
  Roles: {
    'role:list': 'See roles',
    'role:create': 'Add roles',
    'role:update': 'Change roles',
    'role:delete': 'Delete roles',
    'role:permission': 'Choose the permissions of roles',
  },
  Organization: {
    'department:list': 'See departments',
    'department:manage': 'Manage departments',
  },
  'Projects and tasks': {
    'project:list': 'See projects',
    'project:create': 'Add projects',
    'project:update': 'Change own projects',
    'project:manage': 'Manage all projects',
    'task:create': 'Add tasks',
    'task:update': 'Change tasks',
  },
  Approvals: {
    'approval:create': 'Submit requests',
    'approval:action': 'Decide approvals',
  },
  Files: {
    'file:upload': 'Upload files',
    'file:manage': 'Manage all files',
  },
  Content: {
    'content:list': 'See content',
    'content:create': 'Write articles',
    'content:update': 'Change content',
    'content:delete': 'Delete content',
    'price:update': 'Change prices',
  },
  Menus: {
    'menu:list': 'See menus',
    'menu:create': 'Add menus',
    'menu:update': 'Change menus',
    'menu:delete': 'Delete menus',
  },
  Tenant: {
    'settings:view': 'See settings',
    'settings:manage': 'Change settings',
    'tenant:list': 'See tenants',
    'audit:view': 'Read the audit',
  },
  'Admin data': {
    'dashboard:view': 'See the dashboard',
    'analytics:view': 'See analytics',
    'data:view': 'See data',
    'log:view': 'See logs',
  },
}

/** Permissions in words, by what they are about; those that nobody has put into words come last, under their own names. */
export function grouped(permissions: readonly Permission[]): [about: string, some: Permission[]][] {
  const words = [PERMISSIONS, ...extensions.map((extension) => extension.permissions ?? {})].flatMap(
    Object.entries<Words>,
  )
  const groups = new Map<string, Permission[]>(words.map(([about]) => [t(about), []]))
  for (const permission of permissions) {
    const { code } = permission
    const [about, named] = words.find(([, some]) => some[code]) ?? [code.split(':')[0]!, {} as Words]
    const name = t(named[code] ?? permission.name)
    groups.set(t(about), [...(groups.get(t(about)) ?? []), { ...permission, name }])
  }
  return [...groups].filter(([, some]) => some.length > 0)
}
