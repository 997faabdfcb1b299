import { randomUUID } from 'node:crypto'
import { type CommandLine, type Commands, command, Misunderstood, Refusal, z } from '#atrium'
import { laidOut, letterOf } from './sending/compose.ts'
import { smtpPost } from './sending/post.ts'

export function commands({ config, say }: CommandLine): Commands {
  const test = command({
    about: 'Send a test mail by MAIL_URL, and report what the server answers',
    detail: 'It does not pass through the outbox, so the service need not run.',
    operands: ['ADDRESS'],
    run: async (_, address = '') => {
      if (!z.email().safeParse(address).success) throw new Misunderstood(`${address} is not an e-mail address.`)
      const settings = config()
      if (!settings.mailUrl) throw new Refusal('MAIL_URL is not set, so no mail is sent.')
      const letter = laidOut(letterOf('MAIL_TEST', 'en', 'Atrium', { facts: {} }))
      const envelope = { to: address, key: randomUUID(), language: 'en', date: new Date().toISOString() } as const
      const post = smtpPost(settings)
      try {
        await post.send({ ...envelope, ...letter }, AbortSignal.timeout(60_000))
      } catch (error) {
        throw new Refusal(`The mail server did not take it: ${(error as Error).message}`)
      } finally {
        post.close()
      }
      say(`The mail server took a mail to ${address}.`)
    },
  })
  return { mail: { about: 'Mail', commands: { test } } }
}
