import { type Database, fail, fill, type Language, mailOf, openScope, type TenantId } from '#atrium'
import { findReceiver } from '#atrium/people'
import { findTenant } from '#atrium/tenants'
import { type Letter, letterHtml, letterText } from '../letter/letter.ts'
import { type Contents, placeOf } from '../mail.actions.ts'
import type { TakenMail } from '../mail.store.ts'
import { frameTexts, mailText } from '../mail-texts.ts'

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

/** Writes a mail that was taken from the outbox. @returns undefined if it is for somebody who may not get it any more */
export async function compose(database: Database, tenantId: TenantId, mail: TakenMail): Promise<Message | undefined> {
  const { kind, key, recipient, createdAt, sealed, userId } = mail
  const scope = openScope(database, tenantId)
  const [tenant, receiver] = await Promise.all([
    findTenant(scope, { id: tenantId }),
    userId === null ? undefined : findReceiver(scope, { id: userId }),
  ])
  if (userId !== null && !receiver) return undefined
  const language = mail.locale as Language
  const letter = letterOf(kind, language, tenant!.name, contentsOf(database, tenantId, key, sealed))
  return { to: recipient, key, language, date: createdAt, ...laidOut(letter) }
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
    ...(link && mailOf(kind)?.link && { button: { label: say(text.button!), url: link, help: frame.help } }),
    after: text.after?.map(say) ?? [],
    footer: [fill(language, frame.automatic, { tenant })],
  }
}

function contentsOf(database: Database, tenantId: TenantId, key: string, sealed: string | null): Contents {
  if (sealed === null) throw new Unwritable('What it said was removed')
  return JSON.parse(database.sealer!.open(sealed, placeOf(tenantId, key)))
}

/** Names in a subject could forge a header, or turn the direction of what follows. */
function inOneLine(subject: string): string {
  return subject.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
