import { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Scope, Tx } from '../data/tx/scope.ts'
import type { MailFacts, MailKind, MailLink } from '../kernel/words/domain.ts'
import { allMailKinds, mailOf } from '../kernel/words/mails.ts'
import type { Language } from '../kernel/words/sentence.ts'
import { port } from './port.ts'
import { texts } from './texts.ts'

/** A mail of a declared kind to one address. */
export type Mail<K extends MailKind = MailKind> = {
  /** drawn before, by those who name it in a row of theirs */
  id?: number | undefined
  kind: K
  /** a valid e-mail address */
  to: string
  /** the person of the tenant who has the address; the mail is dropped if they are disabled or deleted before it leaves */
  userId?: number
  locale: Language
  /** what the text names; shown as it is, so a date is already in words */
  facts: MailFacts<K>
} & MailLink<K>

/** All kinds that domains declare; they are known when the document is written. */
export const MailKindName = z.string().meta({
  id: 'MailKind',
  get enum() {
    return allMailKinds()
  },
})

export const MailStatus = z.enum(['waiting', 'sent', 'dead']).meta({ id: 'MailStatus' })
export type MailStatus = z.output<typeof MailStatus>

/** What domains need from the one that sends mail. */
export interface OutgoingMail {
  /** Whether mail leaves this installation. */
  canSend(config: Pick<Config, 'mailUrl' | 'production'>): boolean
  /**
   * Puts a mail into the transaction's outbox: it leaves after the commit, and is tried again for a day. A link is
   * complete and has its token in the fragment. Ask `canSend` first: where it is false, the mail would wait for nothing.
   *
   * A person can have few mails with a link sent to one address, because it may be that of anybody. A mail without a link
   * says what has happened, and is never held back; neither is one that nobody in the tenant asked for, and whose sender
   * has its own limit.
   * @throws RATE_LIMITED; Error if the kind is not declared
   */
  send<K extends MailKind>(tx: Tx<any>, mail: Mail<K>): Promise<void>
  /** Draws the id of a mail, for a row that names it before it is sent; null if none is sent. */
  drawId(tx: Tx<any>): Promise<number | null>
  /** What has become of mails; those that are forgotten are left out. */
  listStatuses(scope: Scope, p: { ids: readonly number[] }): Promise<readonly { id: number; status: MailStatus }[]>
}

/** Where no domain sends mail, none is sent. */
export const outgoingMail = port<OutgoingMail>('what sends mail', {
  canSend: () => false,
  send: async () => {},
  drawId: async () => null,
  listStatuses: async () => [],
})

/** What a mail of one kind says. `{name}` is a fact of it. */
export const MailText = z.strictObject({
  subject: z.string(),
  /** paragraphs */
  lines: z.array(z.string()).min(1),
  /** the label of the button, if the kind has a link */
  button: z.string().optional(),
  /** paragraphs below the button, in small print */
  after: z.array(z.string()).optional(),
})
export type MailText = z.output<typeof MailText>

const folders = new Map<string, (language: Language) => Record<string, MailText>>()

/** What a kind of mail says in a language; undefined if no domain declares the kind any more. */
export function mailText(kind: string, language: Language): MailText | undefined {
  const declared = mailOf(kind)
  return declared && mailTextsIn(declared.texts)(language)[kind]
}

/** What the mails of a domain say, by kind. @param folder its `mailTexts` */
export function mailTextsIn(folder: URL): (language: Language) => Record<string, MailText> {
  const read = folders.get(folder.href) ?? texts(folder, z.record(z.string(), MailText))
  folders.set(folder.href, read)
  return read
}
