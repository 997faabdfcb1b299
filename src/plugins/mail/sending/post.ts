import type { Transporter } from 'nodemailer'
import type { Config } from '#atrium'
import type { Message } from './compose.ts'

export interface Post {
  /**
   * Resolves when the mail server has taken the mail. The signal ends the attempt.
   * @throws an error with the fields of SmtpFailure
   */
  send(message: Message, signal: AbortSignal): Promise<void>
  close(): void
}

/** The mail server of MAIL_URL. The library is loaded with the first mail, so a start does not pay for it. */
export function smtpPost({ mailUrl, mailFrom, mailConnections }: Config): Post {
  let transport: Promise<Transporter> | undefined

  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      ...connectionTo(mailUrl!),
      socketTimeout: 120_000,
      pool: true,
      maxConnections: mailConnections,
      // A mail whose connection breaks is tried again by the outbox, which knows of it.
      maxRequeues: 0,
    })
  }

  return {
    async send(message, signal) {
      transport ??= open()
      await (await transport).sendMail({ ...envelopeOf(message, mailFrom!), signal })
    },
    close: () => void transport?.then((open) => open.close()),
  }
}

/** Connects, encrypts and signs in as for a mail, without sending one. @throws what the server says */
export async function tryMailServer({ mailUrl }: Pick<Config, 'mailUrl'>): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ ...connectionTo(mailUrl!), socketTimeout: 10_000 })
  await transport.verify().finally(() => transport.close())
}

function connectionTo(url: string) {
  const limits = { connectionTimeout: 10_000, dnsTimeout: 10_000, greetingTimeout: 30_000 }
  return { ...limits, ...ONLY_ITS_OWN, requireTLS: mustEncrypt(url), url }
}

/** A mail names no files and addresses that the library would read. */
export const ONLY_ITS_OWN = { disableFileAccess: true, disableUrlAccess: true }

/** The fields of a mail, for the library. @param from MAIL_FROM */
export function envelopeOf(message: Message, from: string) {
  const { to, subject, text, html, key, language, date, unsubscribe } = message
  return {
    from,
    to,
    subject,
    text,
    html,
    // As RFC 5322 wants it; a text would be sent as it is.
    date: new Date(date),
    messageId: `<${key}@${domainOf(from)}>`,
    headers: {
      'Content-Language': language,
      // RFC 3834: automatic replies to it are not wanted.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      // RFC 8058
      ...(unsubscribe && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

/** `example.com` of `Example <no-reply@example.com>`. */
function domainOf(from: string): string {
  return from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '')
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** A password leaves the machine encrypted only. `?requireTLS=false` in the URL overrides it. */
function mustEncrypt(url: string): boolean {
  const { protocol, username, hostname } = new URL(url)
  return protocol === 'smtp:' && username !== '' && !LOOPBACK.test(hostname)
}
