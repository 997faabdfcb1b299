import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from '#atrium'
import { openMemory } from './memory.ts'
import { bucketOf, EVERY_MS, type JobRun, type Report, readReport, type Sample } from './sample.ts'

/**
 * The last hour of the service, by ten seconds: all processes that this one hears of. Takes a sample of this process
 * every ten seconds, and sends it to the other processes, so that any of them knows all. Workers of one machine are
 * connected without Redis; replicas on other machines are heard only with it.
 */
export function keepHistory(app: FastifyInstance) {
  const { database, lifetime } = app
  const me = randomUUID()
  const startedAt = Date.now()
  const memory = openMemory()
  const channel = app.coordination?.openChannel('atrium:history', (text) => {
    const report = readReport(text)
    if (!report || report.process === me) return
    memory.hear(report)
    // An answer asks nobody, or processes that start together would ask each other again and again.
    if (report.asks) publish(memory.samplesOf(me))
  })
  let counts = noCounts()
  let loop = performance.eventLoopUtilization()
  let isFirst = true

  lifetime.atEnd((req, { status, ms }) => {
    counts.requests++
    if (status >= 500) counts.failures++
    else if (status >= 400) counts.refusals++
    // A stream lasts as long as someone listens, which says nothing about how fast it was answered.
    if (req.hasWaited) return
    const bucket = bucketOf(ms)
    counts.latencies[bucket] = (counts.latencies[bucket] ?? 0) + 1
  })

  /** Hears itself too, and so knows its jobs as they are now. */
  function hear(samples: Sample[], asks = false): Report {
    const report = { process: me, startedAt, samples, jobs: database.jobs.list(), asks }
    memory.hear(report)
    return report
  }
  function publish(samples: Sample[], asks = false): void {
    const report = hear(samples, asks)
    channel?.send(JSON.stringify(report))
  }

  async function take() {
    const at = Math.round(Date.now() / EVERY_MS) * EVERY_MS
    const { requests, refusals, failures, latencies } = counts
    const since = loop
    counts = noCounts()
    loop = performance.eventLoopUtilization()
    const { connections, leased, idle } = database.stats()
    const perSecond = EVERY_MS / 1000
    const values: Sample['values'] = {
      requests: requests / perSecond,
      refusals: refusals / perSecond,
      failures: failures / perSecond,
      eventLoop: performance.eventLoopUtilization(loop, since).utilization,
      connections: lifetime.connections.size,
      databaseConnections: connections + leased + idle,
      caches: app.publicBytes(),
      memory: process.memoryUsage.rss(),
      processes: 1,
      ...(await readWaiting()),
    }
    publish([{ at, values, latencies: Array.from(latencies, (count) => count ?? 0) }], isFirst)
    isFirst = false
  }

  /** What waits takes queries, and only the console draws it. One that is undefined, or late, is left out. */
  async function readWaiting(): Promise<Record<string, number>> {
    if (!app.hasRoute({ method: 'GET', url: '/console' })) return {}
    const found = await Promise.all(
      [...app.waiting].map(async ([name, read]) => [name, await read().catch(() => undefined)] as const),
    )
    return Object.fromEntries(found.filter((one): one is [string, number] => one[1] !== undefined))
  }

  // What is known before the first sample: the jobs of this process, and the hour of the others.
  app.addHook('onReady', async () => publish([], true))
  let timer = setTimeout(tick, untilNext()).unref()
  function tick() {
    void take()
    timer = setTimeout(tick, untilNext()).unref()
  }
  app.addHook('onClose', async () => {
    clearTimeout(timer)
    channel?.close()
  })

  return {
    series: memory.series,
    jobs(): JobRun[] {
      hear([])
      return memory.jobs()
    },
    /** ms since the epoch: when the process started that has run for the longest */
    startedAt: () => memory.startedAt() ?? startedAt,
  }
}

const noCounts = () => ({ requests: 0, refusals: 0, failures: 0, latencies: [] as number[] })

/** All processes take their samples at the same instants. */
function untilNext(): number {
  const left = EVERY_MS - (Date.now() % EVERY_MS)
  return left < EVERY_MS / 10 ? left + EVERY_MS : left
}
