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

/** The facts that the title of a notification names. */
export type TitleFacts<T extends NotificationType> = Record<FactsOf<TitleOf<T>>, string>

/** The title of a notification in a language. */
export function titleOf<T extends NotificationType>(language: Language, type: T, facts: TitleFacts<T>): string {
  return titleOfStored(language, type, facts)!
}

/** The same for a stored notification; undefined if no domain declares its type any more. */
export function titleOfStored(language: Language, type: string, facts: Record<string, unknown>): string | undefined {
  const title = titles.get(type)
  return title && fill(language, language === 'zh-CN' ? title.zh : title.en, facts)
}
