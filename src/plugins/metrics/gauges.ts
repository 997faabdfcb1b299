import { Gauge, type Registry } from '@prometheus-io/client'
import { type FastifyInstance, type Metrics, type Sources, withinBounds } from '#atrium'
import { watchProcess } from './process.ts'

/** Declares gauges that read their sources at each scrape. */
export function watchSources(registry: Registry, metrics: Metrics, app: FastifyInstance, sources: Sources): void {
  const { build, database, coordination } = sources
  const { gauge, counter, counters } = metrics
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
  counters(
    'overload_refused_total',
    'Refused with 503 because there was too much to do; and connections that were closed for it',
    'cause',
    () => ({
      event_loop: app.pressure.refused,
      database: database.tally.refused,
      passwords: sources.passwords().refused,
      pipelining: app.lifetime.impatient,
      slow_readers: app.slowReaders.cut,
      departed: app.departed.count,
    }),
  )
  coordination?.report?.(metrics)

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
  watchProcess(registry)
}
