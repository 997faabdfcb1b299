import { z } from 'zod'
import { sendTestMail } from '#plugins/mail'
import { command, type Group, Misunderstood } from '../cli/command.ts'
import { Refusal } from '../cli/refusal.ts'
import { say } from '../cli/terminal.ts'
import { configOf } from '../cli/workplace.ts'

const test = command({
  about: 'Send a test mail by MAIL_URL, and report what the server answers',
  detail: 'It does not pass through the outbox, so the service need not run.',
  operands: ['ADDRESS'],
  run: async (_, address = '') => {
    if (!z.email().safeParse(address).success) throw new Misunderstood(`${address} is not an e-mail address.`)
    const config = configOf(process.env)
    if (!config.mailUrl) throw new Refusal('MAIL_URL is not set, so no mail is sent.')
    try {
      await sendTestMail(config, address)
    } catch (error) {
      throw new Refusal(`The mail server did not take it: ${(error as Error).message}`)
    }
    say(`The mail server took a mail to ${address}.`)
  },
})

export const mails: Group = { about: 'Mail', commands: { test } }
