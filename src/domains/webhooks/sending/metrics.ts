import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import { type Database, everyTenant, type FastifyInstance, withinBounds } from '#atrium'
import { countDeliveries } from '../webhooks.store.ts'
import type { WebhookTally } from './worker.ts'

/** Reports what is still to be sent and what was given up, which is asked of the database at a scrape, and how attempts ended. */
export function reportWebhooks(registry: Registry, database: Database, tally: WebhookTally): void {
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
  gauge('webhook_waiting', 'Deliveries of webhooks that are still to be sent', ({ waiting }) => waiting)
  gauge('webhook_oldest_seconds', 'How much later than it should the latest of them leaves', ({ oldest }) => oldest)
  gauge('webhook_failed', 'Deliveries of webhooks that failed and are tried again', ({ failed }) => failed)
  gauge('webhook_dead', 'Deliveries of webhooks of the last 30 days that were given up', ({ dead }) => dead)
  new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver an event: delivered, refused by the receiver, or not answered',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(tally)) this.inc({ outcome }, count)
    },
  })
}

/** The deliveries that wait, in the hour that the console shows. */
export function watchWebhooks(history: FastifyInstance['history'], database: Database): void {
  const read = withinBounds(() => measure(database))
  history.measure('deliveries', async () => (await read())?.waiting)
}

interface Backlog {
  waiting: number
  failed: number
  dead: number
  /** seconds */
  oldest: number
}

/** Asks one tenant after the other, because row security shows nobody all of them. */
async function measure(database: Database): Promise<Backlog> {
  const found: Backlog = { waiting: 0, failed: 0, dead: 0, oldest: 0 }
  for await (const scope of everyTenant(database)) {
    const one = (await countDeliveries(scope, {}))!
    found.waiting += one.waiting
    found.failed += one.failed
    found.dead += one.dead
    found.oldest = Math.max(found.oldest, one.oldest)
  }
  return found
}
