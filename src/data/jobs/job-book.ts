/** A background job of this process: its last run and its next. */
export interface JobRun {
  name: string
  /** null before the first run of this process */
  lastRunAt: string | null
  lastDurationMs: number | null
  lastResult: 'ok' | 'failed' | null
  /** null while it runs */
  nextRunAt: string | null
}

/** The background jobs of one process, as they report themselves. */
export interface JobBook {
  /** Adds a job; it stays until `close` is called. */
  open(name: string): JobEntry
  list(): JobRun[]
}
export interface JobEntry {
  /** The next run is due in so many ms. */
  due(inMs: number): void
  /** A run begins. @returns what to call when it has ended */
  begin(): (result: 'ok' | 'failed') => void
  close(): void
}

export function openJobBook(now: () => number = Date.now): JobBook {
  const jobs = new Set<JobRun>()
  const iso = (at: number) => new Date(at).toISOString()
  return {
    open(name) {
      const job: JobRun = { name, lastRunAt: null, lastDurationMs: null, lastResult: null, nextRunAt: null }
      jobs.add(job)
      return {
        due(inMs) {
          job.nextRunAt = iso(now() + inMs)
        },
        begin() {
          const start = now()
          job.nextRunAt = null
          return (result) =>
            Object.assign(job, { lastRunAt: iso(start), lastDurationMs: now() - start, lastResult: result })
        },
        close: () => void jobs.delete(job),
      }
    },
    list: () => [...jobs].map((job) => ({ ...job })),
  }
}
