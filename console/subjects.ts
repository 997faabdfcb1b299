import type { View } from './lib/html.ts'

/** One subject of the console: a link of the navigation, an address, and a page. */
export interface Subject {
  /** the first part of its address below `/console/` */
  path: string
  /** its name in English, the key of its name in other languages */
  name: string
  group: 'tenant' | 'installation' | 'own'
  /** what a person must hold to be offered it; nothing for everybody */
  permission?: string
  /** what may stand below it in an address, such as an id; by default nothing */
  below?: RegExp
  /** its page, loaded when it is first opened; `rest` is the address below the subject */
  load(): Promise<{ default(options: { rest: string }): View }>
}

/** What the routes for the system administrator demand. */
const SYSTEM = 'system:tenant:list'

/** All subjects, in the order of the navigation. */
export const subjects: readonly Subject[] = [
  {
    path: 'people',
    below: /^(new|former|\d+)$/,
    name: 'People',
    group: 'tenant',
    permission: 'user:list',
    load: () => import('./pages/people.ts'),
  },
  {
    path: 'invitations',
    below: /^(new)$/,
    name: 'Invitations',
    group: 'tenant',
    permission: 'user:invite',
    load: () => import('./pages/invitations.ts'),
  },
  {
    path: 'roles',
    below: /^(new|\d+)$/,
    name: 'Roles',
    group: 'tenant',
    permission: 'role:list',
    load: () => import('./pages/roles.ts'),
  },
  {
    path: 'departments',
    below: /^(new|\d+)$/,
    name: 'Departments',
    group: 'tenant',
    permission: 'department:list',
    load: () => import('./pages/departments.ts'),
  },
  {
    path: 'settings',
    name: 'Settings',
    group: 'tenant',
    permission: 'settings:view',
    load: () => import('./pages/settings.ts'),
  },
  { path: 'files', name: 'Files', group: 'tenant', permission: 'file:upload', load: () => import('./pages/files.ts') },
  {
    path: 'approvals',
    below: /^(\d+)$/,
    name: 'Approvals',
    group: 'tenant',
    permission: 'approval:action',
    load: () => import('./pages/approvals.ts'),
  },
  {
    path: 'comments',
    name: 'Comments',
    group: 'tenant',
    permission: 'content:update',
    load: () => import('./pages/comments.ts'),
  },
  {
    path: 'contact-messages',
    name: 'Contact messages',
    group: 'tenant',
    permission: 'content:list',
    load: () => import('./pages/contact-messages.ts'),
  },
  {
    path: 'portal',
    below: /^(\w+)$/,
    name: 'Portal',
    group: 'tenant',
    permission: 'content:update',
    load: () => import('./pages/portal.ts'),
  },
  {
    path: 'keys',
    below: /^(new|\d+)$/,
    name: 'Keys',
    group: 'tenant',
    permission: 'key:manage',
    load: () => import('./pages/keys.ts'),
  },
  {
    path: 'webhooks',
    below: /^(new|\d+)$/,
    name: 'Webhooks',
    group: 'tenant',
    permission: 'webhook:manage',
    load: () => import('./pages/webhooks.ts'),
  },
  { path: 'mail', name: 'Mail', group: 'tenant', permission: 'settings:manage', load: () => import('./pages/mail.ts') },
  {
    path: 'usage',
    name: 'Usage',
    group: 'tenant',
    permission: 'settings:view',
    load: () => import('./pages/usage.ts'),
  },
  {
    path: 'export',
    name: 'Export',
    group: 'tenant',
    permission: 'tenant:export',
    load: () => import('./pages/export.ts'),
  },
  {
    path: 'audit',
    below: /^(.+)$/,
    name: 'Audit',
    group: 'tenant',
    permission: 'audit:view',
    load: () => import('./pages/audit.ts'),
  },
  {
    path: 'tenants',
    below: /^(new|\d+(\/inside)?)$/,
    name: 'Tenants',
    group: 'installation',
    permission: SYSTEM,
    load: () => import('./pages/tenants.ts'),
  },
  {
    path: 'health',
    name: 'Health',
    group: 'installation',
    permission: SYSTEM,
    load: () => import('./pages/health.ts'),
  },
  { path: 'jobs', name: 'Jobs', group: 'installation', permission: SYSTEM, load: () => import('./pages/jobs.ts') },
  {
    path: 'versions',
    name: 'Versions',
    group: 'installation',
    permission: SYSTEM,
    load: () => import('./pages/versions.ts'),
  },
  { path: 'profile', name: 'Profile', group: 'own', load: () => import('./pages/profile.ts') },
  { path: 'sessions', name: 'Sessions', group: 'own', load: () => import('./pages/sessions.ts') },
  { path: 'second-factor', name: 'Second factor', group: 'own', load: () => import('./pages/second-factor.ts') },
  { path: 'calendar', name: 'Calendar', group: 'own', load: () => import('./pages/calendar.ts') },
  { path: 'notifications', name: 'Notifications', group: 'own', load: () => import('./pages/notifications.ts') },
]

/** The subject of a path such as `people/7`; the first where it names none. */
export function subjectOf(path: string): Subject {
  return subjects.find((subject) => subject.path === path.split('/')[0]) ?? subjects[0]!
}

/** The subjects that a person with these permissions is offered. */
export function offered(permissions: readonly string[]): Subject[] {
  return subjects.filter(({ permission }) => !permission || permissions.includes(permission))
}
