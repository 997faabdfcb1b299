import { z } from 'zod'
import type { JobRun } from '../../../data/jobs/job-book.ts'

/** Samples are taken at multiples of this, on all machines. */
export const EVERY_MS = 10_000
/** How long they are kept. */
export const KEPT_MS = 3600_000

/** What one process has seen in ten seconds. */
export interface Sample {
  /** ms since the epoch, the end of the ten seconds */
  at: number
  values: Record<string, number>
  /** how many answers took how long, by bucket; without the empty ones at the end */
  latencies: number[]
}

/** What processes send each other. The first message of a process asks the others for their hour. */
export interface Report {
  process: string
  startedAt: number
  samples: Sample[]
  jobs: JobRun[]
  asks: boolean
}

const FASTEST_MS = 0.25
const GROWTH = 1.25
/** The last bucket begins at 70 s. */
const BUCKETS = 57

/** The bucket of a duration; each ends 25 % higher than the one before. */
export function bucketOf(ms: number): number {
  const bucket = Math.ceil(Math.log(ms / FASTEST_MS) / Math.log(GROWTH))
  return Math.min(Math.max(bucket, 0), BUCKETS - 1)
}

/** The duration in ms that so large a part of the answers did not exceed, at most 25 % too high. */
export function quantile(latencies: readonly number[], part: number): number | undefined {
  const total = latencies.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let seen = 0
  let bucket = -1
  while (seen < part * total) seen += latencies[++bucket]!
  return FASTEST_MS * GROWTH ** bucket
}

const Count = z.number().min(0)
const Instant = z.iso.datetime().nullable()
const ReportShape = z.object({
  process: z.string().max(64),
  startedAt: Count,
  samples: z
    .array(z.object({ at: Count, values: z.record(z.string().max(32), Count), latencies: z.array(Count).max(BUCKETS) }))
    .max(KEPT_MS / EVERY_MS),
  jobs: z
    .array(
      z.object({
        name: z.string().max(128),
        lastRunAt: Instant,
        lastDurationMs: Count.nullable(),
        lastResult: z.enum(['ok', 'failed']).nullable(),
        nextRunAt: Instant,
      }),
    )
    .max(256),
  asks: z.boolean(),
})

/** A report that came over a channel; undefined if it is none. */
export function readReport(parsed: unknown): Report | undefined {
  return ReportShape.safeParse(parsed).data
}
