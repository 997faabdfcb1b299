import type { Call, Project, Task, User } from './lib/api.ts'
import type { View } from './lib/html.ts'

/** One subject of the console: a link of the navigation, an address, and a page. */
export interface Subject {
  /** the first part of its address below `/console/` */
  path: string
  /** its name in English, the key of its name in other languages */
  name: string
  /** where the navigation shows it; nowhere for a page that only links lead to */
  group?: 'tenant' | 'installation' | 'own'
  /** its place among all subjects */
  place: number
  /** what a person must hold to be offered it; nothing for everybody */
  permission?: string
  /** what may stand below it in an address, such as an id; by default nothing */
  below?: RegExp
  /** what the API calls what it shows, in paths and as the type of a resource: `users` and `user` */
  resources?: readonly string[]
  /** the type of a refusal of everything else, which ends on this page: `SECOND_FACTOR_MISSING` */
  lifts?: string
  /** links to it on pages of the core; `to` is the address below it */
  links?: readonly { on: string; to?: string; name: string }[]
  /** its page, loaded when it is first opened; `rest` is the address below the subject */
  load(): Promise<{ default(options: { rest: string }): View }>
}

/** A list of the API under its filters, whole. */
export interface WholeList {
  /** the operation that reads it */
  operation: string
  filters?: object
}

/** Places on pages of the core that extensions fill, each with what a part of it is given. */
export interface Slots {
  'sign-in': { tenant: string | null; isOver?: boolean | undefined }
  settings: object
  'person-actions': { of: User }
  'inside-tenant': { call: Call }
  project: { of: Project }
  task: { of: Task }
  notifications: { again(): void }
  list: WholeList
  'missing-person': { id: number; again(): void }
}

/** What a slot shows: parts of extensions, in the order of their places, loaded when the slot appears. */
export type Part = {
  [Name in keyof Slots]: {
    slot: Name
    place: number
    load(): Promise<{ default(given: Slots[Name]): View }>
  }
}[keyof Slots]

/** Something that can be gone to. */
export interface Goal {
  /** the address below `/console/` */
  path: string
  name: string
  /** what it is */
  kind: string
}

/** Finds what somebody may want to go to, by what they type. */
export interface Finder {
  load(): Promise<{ default(keyword: string, signal: AbortSignal): Promise<readonly Goal[]> }>
}

/** Names of the service's, each with its words in English, which are the key of its words in other languages. */
export type Words = Readonly<Record<string, string>>

/**
 * What a domain adds to the console: the default export of `extension.ts` in its folder `console`. That file imports only
 * types, because those of all domains travel as one; the pages are loaded when they are opened.
 */
export interface Extension {
  subjects?: readonly Subject[]
  parts?: readonly Part[]
  /** what the palette, which each page has, finds beside pages, people and requests */
  finders?: readonly Finder[]
  /** its permissions in words, by what they are about */
  permissions?: Readonly<Record<string, Words>>
  /** its jobs in words */
  jobs?: Words
  /** its kinds of mail in words */
  mails?: Words
  /** runs before the service is asked who is signed in */
  start?(): Promise<void>
}
