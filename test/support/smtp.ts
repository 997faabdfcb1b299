import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { endsWithFile } from './clean-up.ts'
import { PATIENCE_MS, until } from './patience.ts'

/** A mail that the server has said yes to. */
export interface Delivered {
  to: string
  /** the same in a mail that comes twice */
  messageId: string
  raw: string
}

/** A real mail server on loopback, which misbehaves as a test wants. */
export interface Mailhost {
  /** for MAIL_URL */
  url: string
  delivered: Delivered[]
  /** Answers RCPT for an address: a status such as 550, or nothing to accept it. */
  refuse: (address: string) => number | undefined
  /** Called with the receiver before the server says yes to a mail; it may wait. */
  beforeYes: (to: string) => unknown
  /** The mails to an address, once there are so many. */
  mailsTo(address: string, count?: number): Promise<Email[]>
  /** Waits until nobody is connected, and all that came is delivered. */
  untilQuiet(): Promise<unknown>
  close(): Promise<void>
}

/** @param port one of before, so that the service finds it again */
export async function openMailhost(port = 0): Promise<Mailhost> {
  let arriving = 0
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 50,
    socketTimeout: PATIENCE_MS,
    onRcptTo({ address }, _, done) {
      const status = host.refuse(address)
      done(status ? Object.assign(new Error(`${status} refused`), { responseCode: status }) : undefined)
    },
    async onData(stream, session, done) {
      arriving++
      const raw = await textOf(stream)
      const to = session.envelope.rcptTo[0]!.address
      if (raw !== undefined) {
        await host.beforeYes(to)
        const [, messageId] = /^Message-ID: (.+)\r$/m.exec(raw)!
        host.delivered.push({ to, messageId: messageId!, raw })
      }
      arriving--
      // The client was killed in the middle of a mail.
      done(raw === undefined ? new Error('it was cut off') : undefined)
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const host: Mailhost = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    delivered: [],
    refuse: () => undefined,
    beforeYes: () => {},
    async mailsTo(address, count = 1) {
      const found = await until(() => {
        const mails = host.delivered.filter(({ to }) => to === address)
        if (mails.length < count) throw new Error(`${mails.length} of ${count} mails arrived at ${address}`)
        return mails
      })
      return Promise.all(found.map(({ raw }) => PostalMime.parse(Buffer.from(raw, 'latin1'))))
    },
    untilQuiet: () => until(() => server.connections.size === 0 && arriving === 0),
    close: endsWithFile(() => new Promise<void>((resolve) => server.close(resolve))),
  }
  return host
}

/** Undefined if it breaks off. */
async function textOf(stream: NodeJS.ReadableStream): Promise<string | undefined> {
  let text = ''
  try {
    for await (const chunk of stream.setEncoding('latin1')) text += chunk
    return text
  } catch {
    return undefined
  }
}
