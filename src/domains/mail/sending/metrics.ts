import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import { type Database, everyTenant, type FastifyInstance, withinBounds } from '#atrium'
import { countMails } from '../mail.store.ts'
import type { MailTally } from './worker.ts'

/** Reports what waits and what was given up, which is asked of the database at a scrape, and how attempts ended. */
export function reportMail(registry: Registry, database: Database, tally: MailTally): void {
  const read = withinBounds(() => measure(database))
  const gauge = (name: string, help: string, value: (found: Backlog) => number) =>
    new Gauge({
      ...{ name, help, aggregator: 'max', registers: [registry] },
      async collect() {
        const found = await read()
        if (found) this.set(value(found))
        else this.remove()
      },
    })
  gauge('mail_waiting', 'Mails that wait to be sent', ({ waiting }) => waiting)
  gauge('mail_oldest_seconds', 'How long the oldest of them has waited', ({ oldest }) => oldest)
  gauge('mail_dead', 'Mails of the last 30 days that were given up', ({ dead }) => dead)
  new Counter({
    name: 'mail_attempts_total',
    help: 'Attempts to send a mail: sent, or not because of the server, for now, or for good',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(tally)) this.inc({ outcome }, count)
    },
  })
}

/** The mails that wait, in the hour that the console shows. */
export function watchMail(history: FastifyInstance['history'], database: Database): void {
  const read = withinBounds(() => measure(database))
  history.measure('mail', async () => (await read())?.waiting)
}

interface Backlog {
  waiting: number
  dead: number
  /** seconds */
  oldest: number
}

/** Asks one tenant after the other, because row security shows nobody all of them. */
async function measure(database: Database): Promise<Backlog> {
  const found: Backlog = { waiting: 0, dead: 0, oldest: 0 }
  for await (const scope of everyTenant(database)) {
    const one = (await countMails(scope, {}))!
    found.waiting += one.waiting
    found.dead += one.dead
    found.oldest = Math.max(found.oldest, one.oldest)
  }
  return found
}
