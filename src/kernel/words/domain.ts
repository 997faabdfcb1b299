import type { z } from 'zod'

/**
 * The words that a domain declares. Each domain adds the type of its own words here, so that the unions below are
 * closed without a central list:
 *
 * declare module '#atrium' {
 * interface Domains { tasks: typeof words }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the declarations of the domains
export interface Domains {}

/** The reserved roles that can get a permission when they are made; `admin` holds every one. */
export type GrantedRole = 'tenant-admin' | 'user'

export interface Words {
  /** `domain:action` → the reserved roles besides `admin` that hold it when they are made */
  readonly permissions?: Readonly<Record<`${string}:${string}`, readonly GrantedRole[]>>
  /** what a person reads who is refused: the English sentence, which is also its name → the Chinese one */
  readonly sentences?: Readonly<Record<string, string>>
  /** what its activities and notifications are about */
  readonly resources?: readonly string[]
  /** what it may record: kind of thing → what can happen to it */
  readonly activities?: Readonly<Record<string, readonly string[]>>
  /** the types of its events: `task.created` → what one is */
  readonly events?: Readonly<Record<`${string}.${string}`, EventDeclaration>>
  /** the titles of its notifications; `{name}` is a fact of the event, and `{user}` what the user is called now whom it is about */
  readonly notifications?: Readonly<Record<string, NotificationTitle>>
  /** the mails that it sends, by kind */
  readonly mails?: Readonly<Record<string, MailWords>>
  /** the folder with what they say: `en.json` and `zh.json`, each kind → its text */
  readonly mailTexts?: URL
}

export interface MailWords {
  /** what its text names as `{name}` */
  readonly facts: readonly string[]
  /** it has a button that leads to a link, such as one that confirms an address */
  readonly link?: true
}

/** A type of event, as its domain declares it under its name: `task.created` happens to a task. */
export interface EventDeclaration<Data extends z.ZodObject = z.ZodObject> {
  /** what has happened, in one sentence, for the document */
  readonly summary: string
  readonly data: Data
  /** an example of the data */
  readonly example: z.input<Data>
  /** the kind of thing that it happens to, if its name does not begin with it */
  readonly subject?: string
}

/** The title of a notification in each language, with the same facts. */
export interface NotificationTitle {
  readonly en: string
  readonly zh: string
}

type EachOf<Part extends keyof Words> = {
  [D in keyof Domains]: Domains[D] extends { readonly [P in Part]: infer Declared } ? Declared : never
}[keyof Domains]
type KeysOf<Part extends keyof Words> =
  EachOf<Part> extends infer D ? (D extends object ? keyof D & string : never) : never
type ItemsOf<Part extends keyof Words> =
  EachOf<Part> extends infer D ? (D extends readonly (infer Item)[] ? Item : never) : never

export type DomainPermission = KeysOf<'permissions'>
export type DomainSentence = KeysOf<'sentences'>
export type ResourceType = ItemsOf<'resources'>
/** What can happen to a kind of thing, in any domain. */
export type ActivityOf<Kind extends string> =
  EachOf<'activities'> extends infer D
    ? D extends { readonly [K in Kind]: readonly (infer Action)[] }
      ? Action
      : never
    : never
export type EventType = KeysOf<'events'>
/** The data of a type of event. */
export type EventData<T extends EventType> =
  EachOf<'events'> extends infer D
    ? D extends { readonly [K in T]: { readonly data: infer Data extends z.ZodType } }
      ? z.input<Data>
      : never
    : never
export type NotificationType = KeysOf<'notifications'>

/** The English title of a type of notification; its placeholders are the facts of the event. */
export type TitleOf<T extends NotificationType> =
  EachOf<'notifications'> extends infer D
    ? D extends { readonly [K in T]: { readonly en: infer Title extends string } }
      ? Title
      : never
    : never

export type MailKind = KeysOf<'mails'>

type MailOf<K extends MailKind> =
  EachOf<'mails'> extends infer D ? (D extends { readonly [Kind in K]: infer Mail } ? Mail : never) : never

/** The facts that the text of a mail names. */
export type MailFacts<K extends MailKind> = Record<
  MailOf<K> extends { readonly facts: readonly (infer Fact extends string)[] } ? Fact : never,
  string
>

/** The link of a mail that has a button. */
export type MailLink<K extends MailKind> =
  MailOf<K> extends { readonly link: true } ? { link: string } : { link?: undefined }
