import {
  mailOf as declaredMail,
  fail,
  fill,
  type JobHost,
  type Language,
  mailText,
  openScope,
  type Sealer,
  type TenantId,
} from '#atrium'
import { findReceiver } from '#atrium/people'
import { findTenant, getPolicy, isOpen } from '#atrium/tenants'
import { frameTexts } from '../frame-texts.ts'
import { type Letter, letterHtml, letterText } from '../letter/letter.ts'
import { type Contents, placeOf } from '../mail.actions.ts'
import type { TakenMail } from '../mail.store.ts'
import { mailOf } from '../news/news.rules.ts'
import { newsLetter, readNews } from '../news/news-letter.ts'
import { unsubscribeUrl } from '../news/unsubscribe.ts'

/** A mail as it is handed to the mail server. */
export interface Message {
  to: string
  subject: string
  text: string
  html: string
  /** the same at each attempt, so that a receiver recognises a mail that comes twice */
  key: string
  language: Language
  date: string
  /** where one click stops mails of this kind */
  unsubscribe?: string | undefined
}

/** A mail that cannot be written: it is given up. */
export class Unwritable extends Error {
  readonly code = 'EMESSAGE'
}

/** Writes a mail that was taken from the outbox. @returns undefined if nobody is to get it any more */
export async function compose(
  { database, config, sealer }: Pick<JobHost, 'database' | 'config' | 'sealer'>,
  tenantId: TenantId,
  mail: TakenMail,
): Promise<Message | undefined> {
  const { kind, key, recipient, createdAt, userId, newsFrom, newsTo } = mail
  const scope = openScope(database, tenantId)
  const [tenant, policy, receiver, news] = await Promise.all([
    findTenant(scope, { id: tenantId }),
    getPolicy(scope, { id: tenantId }),
    userId === null ? undefined : findReceiver(scope, { id: userId }),
    newsFrom === null ? undefined : readNews(scope, { receiverId: userId!, newsFrom, newsTo: newsTo! }),
  ])
  if (userId !== null && !receiver) return undefined
  const language = mail.locale
  const envelope = { key, language, date: createdAt }
  if (!news) {
    const contents = contentsOf(sealer, placeOf(tenantId, key), mail.sealed)
    return { ...envelope, to: recipient, ...laidOut(letterOf(kind, language, tenant!.name, contents)) }
  }
  if (!receiver || !mailOf(receiver) || !isOpen(tenant!, Date.now())) return undefined
  const unsubscribe = unsubscribeUrl(config, sealer, { tenantId, userId: receiver.id })
  const timeZone = receiver.timeZone ?? policy.timeZone
  const letter = newsLetter({ kind, rows: news, language, timeZone, tenant: tenant!.name, unsubscribe })
  return letter && { ...envelope, to: receiver.email!, unsubscribe, ...laidOut(letter) }
}

/** Both forms of a letter, and its subject. */
export function laidOut(letter: Letter): Pick<Message, 'subject' | 'text' | 'html'> {
  return { subject: inOneLine(letter.subject), text: letterText(letter), html: letterHtml(letter) }
}

/** What a mail of a declared kind says. @throws Unwritable if no domain declares the kind any more */
export function letterOf(kind: string, language: Language, tenant: string, { facts, link }: Contents): Letter {
  const text = mailText(kind, language) ?? fail(new Unwritable(`No domain declares the mail ${kind}`))
  const frame = frameTexts(language)
  const say = (words: string) => fill(language, words, facts)
  return {
    language,
    subject: say(text.subject),
    sender: tenant,
    lines: text.lines.map(say),
    ...(link && declaredMail(kind)?.link && { button: { label: say(text.button!), url: link, help: frame.help } }),
    after: text.after?.map(say) ?? [],
    footer: [fill(language, frame.automatic, { tenant })],
  }
}

function contentsOf(sealer: Sealer, place: string, sealed: string | null): Contents {
  if (sealed === null) throw new Unwritable('What it said was removed')
  return JSON.parse(sealer.open(sealed, place))
}

/** Names in a subject could forge a header, or turn the direction of what follows. */
function inOneLine(subject: string): string {
  return subject.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
