import type { Part, Slots, Subject } from './extension.ts'
import { extensions } from './extensions.ts'
import type { Person } from './lib/me.ts'

/** What the routes for the system administrator demand. */
const SYSTEM = 'system:tenant:list'

/** The subjects of the core, by where the navigation shows them. */
const CORE: Record<NonNullable<Subject['group']>, Omit<Subject, 'group'>[]> = {
  tenant: [
    {
      path: 'people',
      below: /^(new|\d+)$/,
      resources: ['users', 'user'],
      name: 'People',
      place: 110,
      permission: 'user:list',
      load: () => import('./pages/people.ts'),
    },
    {
      path: 'roles',
      resources: ['roles'],
      below: /^(new|\d+)$/,
      name: 'Roles',
      place: 130,
      permission: 'role:list',
      load: () => import('./pages/roles.ts'),
    },
    {
      path: 'departments',
      resources: ['departments', 'department'],
      below: /^(new|\d+)$/,
      name: 'Departments',
      place: 140,
      permission: 'department:list',
      load: () => import('./pages/departments.ts'),
    },
    {
      path: 'settings',
      resources: ['tenant'],
      name: 'Settings',
      place: 150,
      permission: 'settings:view',
      load: () => import('./pages/settings.ts'),
    },
    {
      path: 'projects',
      resources: ['projects', 'project'],
      below: /^(\d+)$/,
      name: 'Projects',
      place: 153,
      permission: 'project:list',
      load: () => import('./pages/projects.ts'),
    },
    {
      path: 'tasks',
      resources: ['tasks', 'task'],
      below: /^(\d+)$/,
      name: 'Tasks',
      place: 155,
      permission: 'project:list',
      load: () => import('./pages/tasks.ts'),
    },
    { path: 'files', name: 'Files', place: 160, permission: 'file:upload', load: () => import('./pages/files.ts') },
    {
      path: 'approvals',
      resources: ['approvals', 'approval'],
      below: /^(\d+)$/,
      name: 'Approvals',
      place: 170,
      permission: 'approval:action',
      load: () => import('./pages/approvals.ts'),
    },
    {
      path: 'comments',
      name: 'Comments',
      place: 180,
      permission: 'content:update',
      load: () => import('./pages/comments.ts'),
    },
    {
      path: 'contact-messages',
      resources: ['contact_message'],
      name: 'Contact messages',
      place: 190,
      permission: 'content:list',
      load: () => import('./pages/contact-messages.ts'),
    },
    {
      path: 'portal',
      below: /^(\w+)$/,
      name: 'Portal',
      place: 200,
      permission: 'content:update',
      load: () => import('./pages/portal.ts'),
    },
    {
      path: 'audit',
      below: /^(.+)$/,
      name: 'Audit',
      place: 260,
      permission: 'audit:view',
      load: () => import('./pages/audit.ts'),
    },
  ],
  installation: [
    {
      path: 'tenants',
      resources: ['tenants'],
      below: /^(new|\d+(\/inside)?)$/,
      name: 'Tenants',
      place: 310,
      permission: SYSTEM,
      load: () => import('./pages/tenants.ts'),
    },
  ],
  own: [
    { path: 'profile', name: 'Profile', place: 410, load: () => import('./pages/profile.ts') },
    { path: 'sessions', name: 'Sessions', place: 420, load: () => import('./pages/sessions.ts') },
    { path: 'notifications', name: 'Notifications', place: 450, load: () => import('./pages/notifications.ts') },
  ],
}

/** The subjects of the core and of the extensions, in the order of the navigation. */
export const subjects: readonly Subject[] = [
  ...(['tenant', 'installation', 'own'] as const).flatMap((group) =>
    CORE[group].map((subject) => ({ ...subject, group })),
  ),
  ...extensions.flatMap((extension) => extension.subjects ?? []),
].sort((one, other) => one.place - other.place)

/** The subject of a path such as `people/7`; the first where it names none. */
export function subjectOf(path: string): Subject {
  return subjects.find((subject) => subject.path === path.split('/')[0]) ?? subjects[0]!
}

/** The subjects that a person is offered: those that their permissions open, or what ends the refusal of all others. */
export function offered({ permissions, refusal }: Pick<Person, 'permissions' | 'refusal'>): Subject[] {
  if (refusal) return subjects.filter(({ lifts }) => lifts === refusal)
  return subjects.filter(({ permission }) => !permission || permissions.includes(permission))
}

/** The address below `/console/` of what the API names so, if the person is offered its page. */
export function pageOf(person: Person, resource: string | null, id: number | string | null): string | undefined {
  const subject = offered(person).find(({ resources = [] }) => resource && resources.includes(resource))
  return subject?.below?.test(String(id)) ? `${subject.path}/${id}` : subject?.path
}

/** What extensions show in a slot, in its order. */
export function partsIn(name: keyof Slots): Part[] {
  const parts = extensions.flatMap((extension) => extension.parts ?? [])
  return parts.filter(({ slot }) => slot === name).sort((one, other) => one.place - other.place)
}
