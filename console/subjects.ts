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
  /** its page, loaded when it is first opened; `rest` is the address below the subject, such as an id */
  load(): Promise<{ default(options: { rest: string }): View }>
}

/** All subjects, in the order of the navigation. */
export const subjects: readonly Subject[] = [
  { path: 'people', name: 'People', group: 'tenant', permission: 'user:list', load: () => import('./pages/people.ts') },
  { path: 'profile', name: 'Profile', group: 'own', load: () => import('./pages/profile.ts') },
]

/** The subjects that a person with these permissions is offered. */
export function offered(permissions: readonly string[]): Subject[] {
  return subjects.filter(({ permission }) => !permission || permissions.includes(permission))
}
