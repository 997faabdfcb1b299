import type { NotificationTitle, NotificationType, TitleOf, Words } from './domain.ts'
import { type FactsOf, fill, isSentence, type Language, type Sentence, translate } from './sentence.ts'

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

/**
 * The facts that the title of a notification names; `{user}` is none, because names are looked up when it is read. A text
 * stays as it is, and the sentences of a list are written in the reader's language.
 */
export type TitleFacts<T extends NotificationType> = Record<
  Exclude<FactsOf<TitleOf<T>>, 'user'>,
  string | readonly Sentence[]
>

/** The title of a notification in a language; undefined if no domain declares its type any more. */
export function titleOf(language: Language, type: string, facts: Record<string, unknown>): string | undefined {
  const title = titles.get(type)
  if (!title) return undefined
  const told = Object.entries(facts).map(([name, fact]) => [
    name,
    Array.isArray(fact) ? fact.map((word) => (isSentence(word) ? translate(language, word) : word)) : fact,
  ])
  return fill(language, language === 'zh-CN' ? title.zh : title.en, Object.fromEntries(told))
}
