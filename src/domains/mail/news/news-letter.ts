import { fill, type Language, type Scope } from '#atrium'
import { told } from '#atrium/notifications'
import type { Letter } from '../letter/letter.ts'
import { frameTexts, mailText } from '../mail-texts.ts'
import { listNewsOf } from '../news.store.ts'

/** More are only counted: who reads them goes to their notifications. */
const MOST_SHOWN = 20
const LONGEST_CONTENT = 300

export interface News {
  kind: string
  receiverId: number
  newsFrom: number
  newsTo: number
  language: Language
  /** a name that Intl knows */
  timeZone: string
  /** its name */
  tenant: string
  unsubscribe: string | undefined
}

/** What a person has not read yet of some notifications, the newest first; undefined if they have read them all. */
export async function newsLetter(scope: Scope, news: News): Promise<Letter | undefined> {
  const { kind, receiverId, newsFrom, newsTo, language, tenant } = news
  const rows = await listNewsOf(scope, { receiverId, newsFrom, newsTo, most: MOST_SHOWN })
  const [first] = rows
  if (!first) return undefined
  const { total } = first
  const items = rows.map((row) => {
    const { title, content, createdAt } = told(row, language)
    return { title, content: content && shortened(content), time: timeIn(language, news.timeZone, createdAt) }
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
    ...(news.unsubscribe && { unsubscribe: { label: frame.unsubscribe, url: news.unsubscribe } }),
  }
}

function shortened(content: string): string {
  const letters = [...content]
  return letters.length > LONGEST_CONTENT ? `${letters.slice(0, LONGEST_CONTENT).join('')}…` : content
}

/** `22 Nov 2026, 09:41 GMT+1` */
function timeIn(language: Language, timeZone: string, instant: string): string {
  const parts = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    ...parts,
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(instant))
}
