import { withinBounds } from '../../util/within-bounds.ts'
import type { Scope } from '../tx/scope.ts'
import type { Database } from '../wire/database.ts'
import { tenantsTogether } from './every-tenant.ts'
import type { Metrics } from './metrics.ts'

/** What waits: rows of one tenant, or of all. */
export interface Backlog {
  waiting: number
  /** of the oldest, in seconds */
  oldest: number
  /** that were given up */
  dead: number
  /** that are tried again */
  failed?: number
}

export interface BacklogReport {
  /** begins the names of the metrics: `mail` */
  prefix: string
  /** what waits: `mail` */
  waits: string
  /** what each number says */
  help: { [Name in keyof Backlog]: string } & { attempts: string }
  /** Counts in one tenant. */
  count(scope: Scope): Promise<Backlog>
  /** how attempts of this process ended */
  tally: Readonly<Record<string, number>>
}

/** How much waits, by name. It is asked of the database when somebody reads it: undefined if the answer is late. */
export type WaitingCounts = Map<string, () => Promise<number | undefined>>

/** Where it is reported. */
export interface Reported {
  readonly database: Database
  /** undefined if no metrics are collected */
  readonly metrics: Metrics | undefined
  readonly waiting: WaitingCounts
}

/** Reports what waits and what was given up, which is asked of the database at a scrape, and how attempts ended. */
export function reportBacklog({ metrics, waiting, database }: Reported, report: BacklogReport): void {
  const { prefix, help, tally } = report
  const read = withinBounds(measure)
  waiting.set(report.waits, async () => (await read())?.waiting)
  if (!metrics) return

  for (const name of ['waiting', 'oldest', 'failed', 'dead'] as const)
    if (help[name])
      metrics.gauge(
        `${prefix}_${name === 'oldest' ? 'oldest_seconds' : name}`,
        help[name],
        async () => (await read())?.[name],
        'max',
      )
  metrics.counters(`${prefix}_attempts_total`, help.attempts, 'outcome', () => tally)

  /** Asks tenant by tenant, because row security shows nobody all of them. */
  async function measure(): Promise<Required<Backlog>> {
    const all = { waiting: 0, oldest: 0, failed: 0, dead: 0 }
    for await (const group of tenantsTogether(database))
      for (const { waiting, oldest, dead, failed = 0 } of await Promise.all(group.map(report.count))) {
        all.waiting += waiting
        all.oldest = Math.max(all.oldest, oldest)
        all.dead += dead
        all.failed += failed
      }
    return all
  }
}
