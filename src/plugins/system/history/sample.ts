import { z } from '#atrium'

/** Samples are taken at multiples of this, on all machines. */
export const EVERY_MS = 10_000
/** How long they are kept. */
export const KEPT_MS = 3600_000

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
/** What one process has seen in ten seconds. */
const SampleShape = z.object({
  /** ms since the epoch, the end of the ten seconds */
  at: Count,
  values: z.record(z.string().max(32), Count),
  /** how many answers took how long, by bucket; without the empty ones at the end */
  latencies: z.array(Count).max(BUCKETS),
})
/** The same as the job book has. */
const JobShape = z.object({
  name: z.string().max(128),
  lastRunAt: Instant,
  lastDurationMs: Count.nullable(),
  lastResult: z.enum(['ok', 'failed']).nullable(),
  nextRunAt: Instant,
})
/** What processes send each other. The first message of a process asks the others for their hour. */
const ReportShape = z.object({
  process: z.string().max(64),
  startedAt: Count,
  samples: z.array(SampleShape).max(KEPT_MS / EVERY_MS),
  jobs: z.array(JobShape).max(256),
  asks: z.boolean(),
})
export type Report = z.output<typeof ReportShape>
export type Sample = Report['samples'][number]
export type JobRun = Report['jobs'][number]

/** A report that came over a channel; undefined if it is none. */
export function readReport(text: string): Report | undefined {
  try {
    return ReportShape.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
