import { type Config, fault, notFound } from '#atrium'

export const mailFaults = {
  notFound: notFound('Mail'),
  notConfigured: fault('MAIL_NOT_CONFIGURED', 409, 'This installation sends no mail'),
  notDead: fault('MAIL_NOT_DEAD', 409, 'This mail was sent'),
}

/** Whether mail leaves this installation. In development it is kept in a folder and can be read under `/mail`. */
export function canSendMail({ mailUrl, production }: Pick<Config, 'mailUrl' | 'production'>): boolean {
  return mailUrl !== undefined || !production
}

/** Whether mail stays in a folder, to be read under `/mail`: in development without a mail server. */
export function hasMailbox({ mailUrl, production }: Pick<Config, 'mailUrl' | 'production'>): boolean {
  return mailUrl === undefined && !production
}

/** How many mails an hour all people of a tenant may have sent to one address. */
export function mostToTenant(limit: number): number {
  return 4 * limit
}

/**
 * How long a person waits until another mail may be sent for them to an address, in seconds; 0 if it may be sent now.
 * @param sent to it, the newest first: who asked for them, and the seconds until they count no more
 * @param limit for one person
 */
export function mailWait(
  sent: readonly { askedBy: number | null; seconds: number }[],
  person: number,
  limit: number,
): number {
  const ofPerson = sent.filter(({ askedBy }) => askedBy === person)
  return Math.max(ofPerson[limit - 1]?.seconds ?? 0, sent[mostToTenant(limit) - 1]?.seconds ?? 0)
}

/**
 * Why a mail did not leave. `server`: nothing is known about this mail, because the server is away, or refuses us.
 * `later`: the server does not take it now (4xx). `refused`: the server will never take it (5xx), or it cannot be written.
 */
export type Trouble = 'server' | 'later' | 'refused'

export interface SmtpFailure {
  code?: string | undefined
  /** the command that was answered: `RCPT TO` */
  command?: string | undefined
  /** the status of the answer, if there was one */
  responseCode?: number | undefined
}

/** Answers to these commands are about the mail; all others are about us or the server. */
const ABOUT_THE_MAIL = ['RCPT TO', 'DATA']
/** The client itself refuses such a mail, so it would always do so. */
const UNFIT = ['EENVELOPE', 'EMESSAGE', 'ESTREAM']

/** @see RFC 5321, section 4.2.1 */
export function troubleOf({ code = '', command = '', responseCode }: SmtpFailure): Trouble {
  if (responseCode === undefined) return UNFIT.includes(code) ? 'refused' : 'server'
  // 421: the server closes the connection, whatever it was asked.
  if (!ABOUT_THE_MAIL.includes(command) || responseCode === 421) return 'server'
  return responseCode >= 500 ? 'refused' : 'later'
}

/** The pause after the first failure, which doubles with each, and the longest one, in ms. */
const PAUSES = {
  server: { first: 2000, longest: 300_000 },
  later: { first: 60_000, longest: 1_800_000 },
}

/**
 * How long a mail waits after a failure, in ms; undefined if it is given up. The pauses are spread, so that mails that
 * failed together do not return together.
 * @param attempts made so far, at least 1
 * @param left ms until it is given up
 * @param chance from 0 to 1
 */
export function pauseAfter(trouble: Trouble, attempts: number, left: number, chance: number): number | undefined {
  if (trouble === 'refused') return undefined
  const { first, longest } = PAUSES[trouble]
  const pause = Math.min(first * 2 ** (attempts - 1), longest) * (0.5 + chance)
  return pause < left ? Math.round(pause) : undefined
}
