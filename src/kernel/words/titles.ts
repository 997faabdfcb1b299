import type { NotificationTitle, NotificationType, TitleOf, Words } from './domain.ts'
import { type FactsOf, fill, type Language } from './sentence.ts'

const titles = new Map<string, NotificationTitle>()

/** Registers the notifications of a domain. @throws Error if one is declared twice */
export function declareTitles(notifications: NonNullable<Words['notifications']>): void {
  for (const [type, title] of Object.entries(notifications)) {
    if (titles.has(type)) throw new Error(`The notification ${type} is declared by two domains`)
    titles.set(type, title)
  }
}

/** Every declared type of notification. */
export function allNotificationTypes(): readonly string[] {
  return [...titles.keys()]
}

/** The facts that the title of a notification names; `{user}` is none, because names are looked up when it is read. */
export type TitleFacts<T extends NotificationType> = Record<Exclude<FactsOf<TitleOf<T>>, 'user'>, string>

/** The title of a notification in a language; undefined if no domain declares its type any more. */
export function titleOf(language: Language, type: string, facts: Record<string, unknown>): string | undefined {
  const title = titles.get(type)
  return title && fill(language, language === 'zh-CN' ? title.zh : title.en, facts)
}
