import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import fp from 'fastify-plugin'
import { openBroadcast } from '../../../data/coordination/broadcast.ts'
import type { Coordination } from '../../../data/coordination/coordination.ts'
import type { Database } from '../../../data/wire/database.ts'
import { type CurveName, type Memory, openMemory } from './memory.ts'
import { bucketOf, EVERY_MS, type Report, readReport } from './sample.ts'

declare module 'fastify' {
  interface FastifyInstance {
    history: History
  }
}

/** The last hour of the service, by ten seconds: all processes that this one hears of. */
export interface History extends Pick<Memory, 'series' | 'jobs'> {
  /** ms since the epoch: when the process started that has run for the longest */
  startedAt(): number
  /** Measures the backlogs in the database too from now on, which takes queries. */
  measureBacklogs(): void
  /** Adds a backlog to each sample; one that is undefined, or late, is left out. */
  measure(name: CurveName, read: () => Promise<number | undefined>): void
}

interface Options {
  database: Database
  /** how other processes are heard; undefined if there are none */
  coordination: Coordination | undefined
  /** whether background jobs run here: no other process measures the backlogs */
  hasJobs: boolean
}

/**
 * Takes a sample of this process every ten seconds, and sends it to the other processes, so that any of them knows
 * all. Workers of one machine are connected without Redis; replicas on other machines are heard only with it.
 */
export const history = fp<Options>(
  async (app, { database, coordination, hasJobs }) => {
    const me = randomUUID()
    const startedAt = Date.now()
    const memory = openMemory()
    const broadcast = openBroadcast<Report>(readReport)
    const measured = new Map<CurveName, () => Promise<number | undefined>>()
    let counts = noCounts()
    let loop = performance.eventLoopUtilization()
    let isFirst = true
    let measures = false

    broadcast.subscribe((report) => {
      memory.hear(report)
      if (report.asks && report.process !== me) publish({ samples: memory.samplesOf(me) })
    })
    if (coordination) broadcast.connect((receive) => coordination.openChannel('atrium:history', receive))

    app.decorate('history', {
      series: memory.series,
      jobs() {
        publishHere()
        return memory.jobs()
      },
      startedAt: () => memory.startedAt() ?? startedAt,
      measureBacklogs() {
        measures = hasJobs
      },
      measure: (name, read) => void measured.set(name, read),
    })
    app.lifetime.atEnd((req, { status, ms }) => {
      counts.requests++
      if (status >= 500) counts.failures++
      else if (status >= 400) counts.refusals++
      // A stream lasts as long as someone listens, which says nothing about how fast it was answered.
      if (req.hasWaited || req.route.url?.endsWith('/stream')) return
      const bucket = bucketOf(ms)
      counts.latencies[bucket] = (counts.latencies[bucket] ?? 0) + 1
    })

    function publish(report: Pick<Report, 'samples'>) {
      broadcast.publish({ process: me, startedAt, jobs: database.jobs.list(), asks: isFirst, ...report })
    }
    /** The jobs of this process as they are now. */
    function publishHere() {
      memory.hear({ process: me, startedAt, samples: [], jobs: database.jobs.list(), asks: false })
    }

    async function take() {
      const at = Math.round(Date.now() / EVERY_MS) * EVERY_MS
      const { requests, refusals, failures, latencies } = counts
      const since = loop
      counts = noCounts()
      loop = performance.eventLoopUtilization()
      const { connections, leased, idle } = database.stats()
      const perSecond = EVERY_MS / 1000
      const values: Report['samples'][number]['values'] = {
        requests: requests / perSecond,
        refusals: refusals / perSecond,
        failures: failures / perSecond,
        eventLoop: performance.eventLoopUtilization(loop, since).utilization,
        connections: app.lifetime.connections.size,
        databaseConnections: connections + leased + idle,
        caches: app.publicBytes(),
        memory: process.memoryUsage.rss(),
        processes: 1,
        ...(measures && (await readAll())),
      }
      publish({ samples: [{ at, values, latencies: Array.from(latencies, (count) => count ?? 0) }] })
      isFirst = false
    }

    async function readAll(): Promise<Record<string, number>> {
      const found = await Promise.all(
        [...measured].map(async ([name, read]) => [name, await read().catch(() => undefined)] as const),
      )
      return Object.fromEntries(found.filter((one): one is [CurveName, number] => one[1] !== undefined))
    }

    // What is known before the first sample: the jobs of this process, and the hour of the others.
    app.addHook('onReady', async () => publish({ samples: [] }))
    let timer = setTimeout(tick, untilNext()).unref()
    function tick() {
      void take()
      timer = setTimeout(tick, untilNext()).unref()
    }
    app.addHook('onClose', async () => {
      clearTimeout(timer)
      broadcast.close()
    })
  },
  { name: 'history', dependencies: ['lifetime', 'public-answers'] },
)

const noCounts = () => ({ requests: 0, refusals: 0, failures: 0, latencies: [] as number[] })

/** All processes take their samples at the same instants. */
function untilNext(): number {
  const left = EVERY_MS - (Date.now() % EVERY_MS)
  return left < EVERY_MS / 10 ? left + EVERY_MS : left
}
