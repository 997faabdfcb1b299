import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '../wire/unavailable.ts'
import { inEveryTenant } from './every-tenant.ts'
import type { DatabaseHost, Job, Work } from './job.ts'

/** Jobs that run until they are stopped. */
export interface RunningJobs {
  /** Asks them to end, and waits until they have. */
  stop(): Promise<void>
}

/** Starts jobs, once all of them are prepared. @throws what the preparation of one has thrown */
export async function startJobs<Host extends DatabaseHost>(
  host: Host,
  jobs: readonly Job<Host>[],
): Promise<RunningJobs> {
  const works = await Promise.all(jobs.map((job) => ('open' in job ? job.open(host) : job)))
  const running = jobs.map((job, at) => repeat(host, job, works[at]!))
  return { stop: async () => void (await Promise.all(running.map((job) => job.stop()))) }
}

/** The jobs of a process. @param isFirst whether it is the one of its machine that runs all of them */
export function jobsHere<Host extends DatabaseHost>(
  jobs: readonly Job<Host>[],
  isFirst: boolean,
): readonly Job<Host>[] {
  if (isFirst) return jobs
  return jobs.flatMap((job) => (job.elsewhere === undefined ? [] : { ...job, every: job.elsewhere }))
}

/** One run. @returns true if there is more to do */
export async function runWork<Host extends DatabaseHost>(
  host: Host,
  work: Work<Host>,
  stopping: AbortSignal,
): Promise<boolean> {
  if ('run' in work) return (await work.run(host, stopping)) === true
  return inEveryTenant(host.database, work.inTenants, (scope) => work.work(scope, host, stopping), stopping)
}

/** A failed run is logged, and retried by the next one. After one that leaves more to do there is no pause. */
function repeat<Host extends DatabaseHost>(host: Host, { name, every, first = 0 }: Job<Host>, work: Work<Host>) {
  const { log, jobs } = host.database
  const stopping = new AbortController()
  const { signal } = stopping
  const job = jobs.open(name)
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
      await work.close?.()
    },
  }

  async function run() {
    await rest(first)
    while (!signal.aborted) {
      const start = performance.now()
      const end = job.begin()
      const pause = await runWork(host, work, signal).then(
        (more) => {
          end('ok')
          return more ? 0 : pauseAfter(start)
        },
        (error) => {
          end('failed')
          log.warn({ err: String(error) }, `${name} could not be swept`)
          // What was away may be back soon; to wait for it has cost nothing.
          return error instanceof Unavailable ? every : pauseAfter(start)
        },
      )
      await rest(pause)
    }
    job.close()
  }

  /** 50 times the duration of the run, but at most twelve usual pauses, so that a slow hour is soon over. */
  function pauseAfter(start: number): number {
    return Math.max(every, Math.min(50 * (performance.now() - start), 12 * every))
  }

  async function rest(ms: number) {
    job.due(ms)
    if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
  }
}
