import { LRUCache } from 'lru-cache'
import { fill, type Language, mailText, type Scope } from '#atrium'
import { told } from '#atrium/notifications'
import { frameTexts } from '../frame-texts.ts'
import type { Letter } from '../letter/letter.ts'
import { listNewsOf } from '../news.store.ts'

/** More are only counted: who reads them goes to their notifications. */
const MOST_SHOWN = 20
const LONGEST_CONTENT = 300

export interface News {
  kind: string
  /** what the person has not read yet, as `readNews` returns it */
  rows: readonly Row[]
  language: Language
  /** a name that Intl knows */
  timeZone: string
  tenant: string
  unsubscribe: string | undefined
}

type Row = Awaited<ReturnType<typeof listNewsOf>>[number]

/** What a person has not read yet of some notifications, the newest first. */
export function readNews(scope: Scope, range: { receiverId: number; newsFrom: number; newsTo: number }) {
  return listNewsOf(scope, { ...range, most: MOST_SHOWN })
}

/** @returns undefined if the person has read them all */
export function newsLetter({ kind, rows, language, timeZone, tenant, unsubscribe }: News): Letter | undefined {
  const [first] = rows
  if (!first) return undefined
  const { total } = first
  const items = rows.map((row) => {
    const { title, content, createdAt } = told(row, language)
    return { title, content: content && shortened(content), time: timeIn(language, timeZone, createdAt) }
  })
  const text = mailText(kind, language)!
  const frame = frameTexts(language)
  const say = (words: string) => fill(language, words, { count: total, tenant })
  const more = total - rows.length
  return {
    language,
    subject: total === 1 ? items[0]!.title : say(text.subject),
    sender: tenant,
    lines: text.lines.map(say),
    items,
    after: more > 0 ? [fill(language, frame.andMore, { count: more })] : [],
    footer: [...(text.after ?? []).map(say), fill(language, frame.automatic, { tenant })],
    ...(unsubscribe && { unsubscribe: { label: frame.unsubscribe, url: unsubscribe } }),
  }
}

function shortened(content: string): string {
  const letters = [...content]
  return letters.length > LONGEST_CONTENT ? `${letters.slice(0, LONGEST_CONTENT).join('')}…` : content
}

/** How times are written, by language and time zone: making one takes a quarter of a millisecond. */
const times = new LRUCache<string, Intl.DateTimeFormat, { language: Language; timeZone: string }>({
  max: 100,
  memoMethod(_, __, { context: { language, timeZone } }) {
    const parts = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
    const locale = language === 'en' ? 'en-GB' : language
    return new Intl.DateTimeFormat(locale, { ...parts, timeZone, timeZoneName: 'short' })
  },
})

/** `22 Nov 2026, 09:41 GMT+1` */
function timeIn(language: Language, timeZone: string, instant: string): string {
  const format = times.memo(`${language} ${timeZone}`, { context: { language, timeZone } })
  return format.format(new Date(instant))
}
