import { load, quantile } from './load.ts'
import { cpuOf, cpuOfMachine, cpuOfPostgres, type Server } from './servers.ts'
import type { Work } from './works.ts'

/** What one server did in one round. */
export interface Round {
  /** requests a second */
  rate: number
  /** ms of CPU for each request */
  server: number
  postgres: number
  /** ms */
  p50: number
  p99: number
}

export interface Measure {
  /** the process id of PostgreSQL */
  postmaster: number
  seconds: number
  /** requests a second at most; undefined for no limit */
  perSecond: number | undefined
}

/** One round of a work on one server. @throws Error with the answer if one is not 2xx */
export async function measure({ postmaster, seconds, perSecond }: Measure, server: Server, work: Work): Promise<Round> {
  const before = { server: cpuOf(server.pid), postgres: cpuOfPostgres(postmaster) }
  const measured = await load(server.port, work.senders, seconds, perSecond).catch((error) => {
    throw new Error(`${work.name}, ${server.name}: ${error.message}\n${server.words()}`)
  })
  const thousands = measured.requests / 1000
  return {
    rate: measured.requests / measured.seconds,
    server: (cpuOf(server.pid) - before.server) / thousands,
    postgres: (cpuOfPostgres(postmaster) - before.postgres) / thousands,
    p50: quantile(measured.latencies, 0.5),
    p99: quantile(measured.latencies, 0.99),
  }
}

/** Records the CPU time of the machine, and returns later how many of its processors others have used since. */
export function watchOthers(postmaster: number, servers: Server[]): () => number {
  const ours = () => {
    const { user, system } = process.cpuUsage()
    return servers.reduce((sum, { pid }) => sum + cpuOf(pid), cpuOfPostgres(postmaster) + (user + system) / 1e6)
  }
  const begun = { at: performance.now(), machine: cpuOfMachine(), ours: ours() }
  return () => (cpuOfMachine() - begun.machine - (ours() - begun.ours)) / ((performance.now() - begun.at) / 1000)
}

/** The median of a figure over rounds. */
export function medianOf(rounds: readonly Round[], figure: keyof Round): number {
  return median(rounds.map((round) => round[figure]))
}

/** For each of the two that were measured side by side, formatted. */
export function mediansOf(pairs: readonly (readonly [Round, Round])[], figure: keyof Round, digits: number): string[] {
  const [ones, others] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)]
  return [ones, others].map((rounds) => medianOf(rounds, figure).toFixed(digits))
}

/** The median of the ratios of paired rounds: a disturbance of the machine affects both of a pair. */
export function ratioOf(pairs: readonly (readonly [Round, Round])[], figure: keyof Round): number {
  return median(pairs.map(([one, other]) => other[figure] / one[figure]))
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}
