import { EVERY_MS, type JobRun, KEPT_MS, quantile, type Report, type Sample } from './sample.ts'

/** One curve: its unit, and `[ISO instant, value]`, oldest first. */
export interface Series {
  name: string
  unit: string
  points: [string, number][]
}

type How = 'sum' | 'most'

/** The curves: their units, and how the values of several processes become one. */
const CURVES = {
  requests: ['1/s', 'sum'],
  refusals: ['1/s', 'sum'],
  failures: ['1/s', 'sum'],
  p50: ['ms', 'sum'],
  p99: ['ms', 'sum'],
  eventLoop: ['ratio', 'most'],
  connections: ['count', 'sum'],
  databaseConnections: ['count', 'sum'],
  outbox: ['count', 'most'],
  mail: ['count', 'most'],
  deliveries: ['count', 'most'],
  caches: ['bytes', 'sum'],
  memory: ['bytes', 'sum'],
  processes: ['count', 'sum'],
} as const satisfies Record<string, readonly [unit: string, how: How]>
type CurveName = keyof typeof CURVES

interface Process {
  startedAt: number
  heardAt: number
  samples: Map<number, Sample>
  jobs: readonly JobRun[]
}

const MOST_PROCESSES = 256
/** A process that was not heard of for so long has ended. */
const SILENT_MS = 3.5 * EVERY_MS
/** Reports of the same instant arrive a little apart. */
const LATE_MS = 1000

/** The last hour of all processes that were heard of, in memory. */
export function openMemory(now: () => number = Date.now) {
  const processes = new Map<string, Process>()

  function hear({ process, startedAt, samples, jobs }: Report): void {
    const oldest = now() - KEPT_MS
    if (!processes.has(process) && processes.size >= MOST_PROCESSES) return
    const known = processes.get(process) ?? { startedAt, heardAt: 0, samples: new Map(), jobs: [] }
    processes.set(process, known)
    for (const sample of samples)
      if (sample.at > oldest && sample.at <= now() + EVERY_MS) known.samples.set(sample.at, sample)
    Object.assign(known, { heardAt: now(), jobs })
    for (const [name, { samples }] of processes) {
      for (const at of samples.keys()) if (at <= oldest) samples.delete(at)
      if (samples.size === 0 && name !== process) processes.delete(name)
    }
  }

  const living = () => [...processes.values()].filter(({ heardAt }) => now() - heardAt < SILENT_MS)

  return {
    hear,
    samplesOf: (process: string): Sample[] => [...(processes.get(process)?.samples.values() ?? [])],
    /** ms since the epoch, of the process that runs for the longest; undefined before the first report */
    startedAt: (): number | undefined => minOf(living().map(({ startedAt }) => startedAt)),
    series(): Series[] {
      const byInstant = new Map<number, Sample[]>()
      const newest = now() - LATE_MS
      for (const { samples } of processes.values())
        for (const sample of samples.values())
          if (sample.at <= newest) byInstant.set(sample.at, [...(byInstant.get(sample.at) ?? []), sample])
      const instants = [...byInstant].sort(([one], [other]) => one - other)
      return Object.entries(CURVES).map(([name, [unit, how]]) => ({
        name,
        unit,
        points: instants.flatMap(([at, samples]): [string, number][] => {
          const value = together(name as CurveName, how, samples)
          return value === undefined ? [] : [[new Date(at).toISOString(), rounded(value)]]
        }),
      }))
    },
    /** Each job once: processes may share one. */
    jobs(): JobRun[] {
      const found = new Map<string, JobRun>()
      for (const job of living().flatMap(({ jobs }) => jobs)) {
        const known = found.get(job.name)
        found.set(job.name, known ? merge(known, job) : job)
      }
      return [...found.values()].sort((one, other) => one.name.localeCompare(other.name))
    },
  }
}

function together(name: CurveName, how: How, samples: readonly Sample[]): number | undefined {
  if (name === 'p50' || name === 'p99') return quantile(added(samples), name === 'p50' ? 0.5 : 0.99)
  const values = samples.flatMap(({ values }) => values[name] ?? [])
  if (values.length === 0) return undefined
  return how === 'sum' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
}

function added(samples: readonly Sample[]): number[] {
  const sum: number[] = []
  for (const { latencies } of samples)
    for (const [bucket, count] of latencies.entries()) sum[bucket] = (sum[bucket] ?? 0) + count
  return Array.from(sum, (count) => count ?? 0)
}

/** The last run of either, and the next. */
function merge(one: JobRun, other: JobRun): JobRun {
  const last = (other.lastRunAt ?? '') > (one.lastRunAt ?? '') ? other : one
  const nextRunAt = [one, other].flatMap((job) => job.nextRunAt ?? []).sort()[0] ?? null
  return { ...last, nextRunAt }
}

const minOf = (values: readonly number[]) => (values.length ? Math.min(...values) : undefined)

/** Three digits say it. */
const rounded = (value: number) => (value >= 1000 ? Math.round(value) : Number(value.toPrecision(3)))
