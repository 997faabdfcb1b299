import type { Readiness } from '../../src/data/setup/readiness.ts'

const WORST_FIRST: Readiness['status'][] = ['stopping', 'unavailable', 'degraded', 'ok']

/** The readiness of a service from that of its workers; undefined stands for one that does not answer. */
export function readinessOf(workers: readonly (Readiness | undefined)[], stopping: boolean): Readiness {
  if (stopping) return { status: 'stopping', checks: {} }
  const answered = workers.filter((one) => one !== undefined)
  const [worst] = answered.sort((a, b) => WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status))
  const isWhole = answered.length === workers.length
  const checks = { ...worst?.checks, workers: { status: isWhole ? 'ok' : 'away', ms: 0 } as const }
  if (!worst) return { status: 'unavailable', checks }
  return { status: worst.status === 'ok' && !isWhole ? 'degraded' : worst.status, checks }
}
