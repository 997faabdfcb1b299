import type { Permission } from './api.ts'
import { t } from './language.ts'

/** The permissions that the service brings, in words, by what they are about. */
const words = (): Record<string, Record<string, string>> => ({
  [t('People')]: {
    'user:list': t('See people'),
    'user:create': t('Add people'),
    'user:update': t('Change people'),
    'user:delete': t('Delete people'),
    'user:invite': t('Invite people'),
  },
  [t('Roles')]: {
    'role:list': t('See roles'),
    'role:create': t('Add roles'),
    'role:update': t('Change roles'),
    'role:delete': t('Delete roles'),
    'role:permission': t('Choose the permissions of roles'),
  },
  [t('Organization')]: {
    'department:list': t('See departments'),
    'department:manage': t('Manage departments'),
  },
  [t('Projects and tasks')]: {
    'project:list': t('See projects'),
    'project:create': t('Add projects'),
    'project:update': t('Change own projects'),
    'project:manage': t('Manage all projects'),
    'task:create': t('Add tasks'),
    'task:update': t('Change tasks'),
  },
  [t('Approvals')]: {
    'approval:create': t('Submit requests'),
    'approval:action': t('Decide approvals'),
  },
  [t('Files')]: {
    'file:upload': t('Upload files'),
    'file:manage': t('Manage all files'),
  },
  [t('Content')]: {
    'content:list': t('See content'),
    'content:create': t('Write articles'),
    'content:update': t('Change content'),
    'content:delete': t('Delete content'),
    'price:update': t('Change prices'),
  },
  [t('Menus')]: {
    'menu:list': t('See menus'),
    'menu:create': t('Add menus'),
    'menu:update': t('Change menus'),
    'menu:delete': t('Delete menus'),
  },
  [t('Tenant')]: {
    'settings:view': t('See settings'),
    'settings:manage': t('Change settings'),
    'tenant:export': t('Export the tenant'),
    'tenant:list': t('See tenants'),
    'key:manage': t('Manage keys'),
    'webhook:manage': t('Manage webhooks'),
    'event:view': t('Read events'),
    'audit:view': t('Read the audit'),
  },
  [t('Admin data')]: {
    'dashboard:view': t('See the dashboard'),
    'analytics:view': t('See analytics'),
    'data:view': t('See data'),
    'log:view': t('See logs'),
  },
})

/** Permissions in words, by what they are about; those of a domain from outside come last, under their own names. */
export function grouped(permissions: readonly Permission[]): [about: string, some: Permission[]][] {
  const groups = new Map<string, Permission[]>(Object.keys(words()).map((about) => [about, []]))
  for (const permission of permissions) {
    const { code } = permission
    const [about, named] = Object.entries(words()).find(([, some]) => some[code]) ?? [code.split(':')[0]!, {}]
    const name = named[code] ?? permission.name
    groups.set(about, [...(groups.get(about) ?? []), { ...permission, name }])
  }
  return [...groups].filter(([, some]) => some.length > 0)
}
