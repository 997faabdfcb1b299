/** Where a job runs; a `FastifyInstance` is one. */
interface JobHost {
  readonly runsJobs: boolean
  addHook(name: 'onClose', hook: () => Promise<void>): unknown
}

/**
 * Starts background work if this process runs jobs, and stops it when the service closes.
 * @returns undefined if another process runs them
 */
export function startJob<Job extends { stop(): Promise<void> }>(host: JobHost, start: () => Job): Job | undefined {
  if (!host.runsJobs) return undefined
  const job = start()
  host.addHook('onClose', () => job.stop())
  return job
}
