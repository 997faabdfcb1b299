/** A background job of this process: its last run and its next. */
interface JobRun {
  name: string
  /** null before the first run of this process */
  lastRunAt: string | null
  lastDurationMs: number | null
  lastResult: 'ok' | 'failed' | null
  /** null while it runs */
  nextRunAt: string | null
}

export type JobBook = ReturnType<typeof openJobBook>

/** The background jobs of one process, as they report themselves. */
export function openJobBook(now: () => number = Date.now) {
  const jobs = new Set<JobRun>()
  const iso = (at: number) => new Date(at).toISOString()
  return {
    /** Adds a job; it stays until `close` is called. */
    open(name: string) {
      const job: JobRun = { name, lastRunAt: null, lastDurationMs: null, lastResult: null, nextRunAt: null }
      jobs.add(job)
      return {
        /** The next run is due in so many ms. */
        due(inMs: number) {
          job.nextRunAt = iso(now() + inMs)
        },
        /** A run begins. @returns what to call when it has ended */
        begin() {
          const start = now()
          job.nextRunAt = null
          return (result: 'ok' | 'failed') =>
            Object.assign(job, { lastRunAt: iso(start), lastDurationMs: now() - start, lastResult: result })
        },
        close: () => void jobs.delete(job),
      }
    },
    list: () => [...jobs].map((job) => ({ ...job })),
  }
}
