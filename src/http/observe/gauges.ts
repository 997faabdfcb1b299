import { Counter, collectDefaultMetrics, Gauge, type Registry } from '@prometheus-io/client'
import type { FastifyInstance } from 'fastify'
import type { Build } from '../../config/build.ts'
import type { Backlogs } from '../../data/outbox/backlog.ts'
import type { Coordination } from '../../data/redis/coordination.ts'
import type { Database } from '../../data/wire/database.ts'
import { withinBounds } from '../../util/within-bounds.ts'

/** Values that are read at a scrape, and cost nothing before. */
export interface Sources {
  build: Build
  database: Database
  /** undefined if no Redis is configured: then there is no gauge for it */
  coordination: Coordination | undefined
  /** lines of the log that could not be written */
  droppedLines: () => number
  /** audit rows that wait to be written, and those that were lost */
  auditPending: () => number
  auditLost: () => number
  /** passwords that wait to be hashed, and those that were refused */
  passwords: () => { waiting: number; refused: number }
  /** Asks the database, so it may take long or fail; undefined if another process reports it. */
  backlogs: (() => Promise<Backlogs>) | undefined
}

/** Declares gauges that read their sources at each scrape. */
export function watchSources(registry: Registry, app: FastifyInstance, sources: Sources): void {
  const { build, database, coordination } = sources
  /** A value that is not available now is not reported: the series is missing from this scrape. */
  const gauge = (
    name: string,
    help: string,
    read: () => number | undefined | Promise<number | undefined>,
    aggregator: 'sum' | 'min' | 'max' = 'sum',
  ) =>
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      async collect() {
        const value = await read()
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read())
      },
    })

  new Gauge({
    name: 'atrium_build_info',
    help: 'Always 1; the version, commit and Node that run',
    labelNames: ['version', 'commit', 'node'],
    // Several processes are one service.
    aggregator: 'first',
    registers: [registry],
  }).set({ version: build.version, commit: build.commit ?? 'unknown', node: process.version }, 1)

  gauge('http_requests_in_flight', 'Requests that have arrived and not ended', () => app.lifetime.inHand)

  gauge('http_unsent_bytes', 'Answers that wait in memory for their readers', () => app.slowReaders.unsent)

  gauge('db_lines', 'Connections that flights of all requests share', () => database.stats().connections)
  gauge('db_flights_in_flight', 'Flights sent on those and not yet answered', () => database.stats().pending)
  gauge('db_pool_connections', 'Connections that transactions hold or may take', () => {
    const { leased, idle } = database.stats()
    return leased + idle
  })
  gauge('db_pool_idle', 'Those of them that no transaction holds', () => database.stats().idle)
  gauge('db_pool_waiting', 'Transactions that wait for one', () => database.stats().waiting)
  gauge('db_searches', 'Costly reads that are running', () => database.stats().searches)
  gauge('db_searches_waiting', 'Costly reads that wait for their turn', () => database.stats().searchesWaiting)
  gauge(
    'db_writes_failing',
    '1 while changes fail for a reason of the database, such as a full disk',
    () => Number(database.areWritesFailing()),
    'max',
  )
  counter('db_flights_total', 'Flights that were sent', () => database.tally.flights)
  new Counter({
    name: 'overload_refused_total',
    help: 'Refused with 503 because there was too much to do; and connections that were closed for it',
    labelNames: ['cause'],
    registers: [registry],
    collect() {
      this.reset()
      this.inc({ cause: 'event_loop' }, app.pressure.refused)
      this.inc({ cause: 'database' }, database.tally.refused)
      this.inc({ cause: 'passwords' }, sources.passwords().refused)
      this.inc({ cause: 'pipelining' }, app.lifetime.impatient)
      this.inc({ cause: 'slow_readers' }, app.slowReaders.cut)
      this.inc({ cause: 'departed' }, app.departed.count)
    },
  })
  if (coordination?.dependency === 'redis')
    gauge('redis_up', '1 while Redis answers', () => Number(coordination.up()), 'min')

  if (sources.backlogs) {
    const backlogs = withinBounds(sources.backlogs)
    const waiting = (name: 'outbox' | 'events', pending: string, oldest: string) => {
      gauge(`${name}_pending`, pending, async () => (await backlogs())?.[name].pending)
      gauge(`${name}_oldest_seconds`, oldest, async () => (await backlogs())?.[name].oldestSeconds)
    }
    waiting('outbox', 'Events that wait to be delivered', 'How long the oldest of them has waited')
    waiting('events', 'Events that wait for their ids', 'How long the oldest event has waited for its id')
  }
  counter(
    'outbox_failed_total',
    'Deliveries that failed and were left to the next sweep',
    () => database.tally.undelivered,
  )

  gauge('audit_pending', 'Audit rows that wait to be written', sources.auditPending)
  counter('audit_lost_total', 'Refusals that could not be audited', sources.auditLost)
  counter('log_dropped_total', 'Lines of the log that could not be written', sources.droppedLines)
  gauge('passwords_waiting', 'Passwords that wait to be hashed', () => sources.passwords().waiting)
  collectDefaultMetrics({ register: registry })
}
