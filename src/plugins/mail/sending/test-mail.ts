import { randomUUID } from 'node:crypto'
import type { Config } from '#atrium'
import { laidOut, letterOf } from './compose.ts'
import { smtpPost } from './post.ts'

/** Sends a test mail past the outbox, to see whether MAIL_URL and MAIL_FROM are right. @throws what the server says */
export async function sendTestMail(config: Config, to: string): Promise<void> {
  const post = smtpPost(config)
  const letter = letterOf('MAIL_TEST', 'en', 'Atrium', { facts: {} })
  const message = { to, key: randomUUID(), language: 'en' as const, date: new Date().toISOString(), ...laidOut(letter) }
  try {
    await post.send(message, AbortSignal.timeout(60_000))
  } finally {
    post.close()
  }
}
