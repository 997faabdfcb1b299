import { execFileSync } from 'node:child_process'
import { until } from './patience.ts'
import { onFreePort } from './programs.ts'
import { openRemote } from './remote.ts'
import { hasMetrics, type ServiceProcess, startProcess } from './service.ts'

/** As many as reach both workers: the kernel deals them out by their ports, so that all go to one happens once in 2^15. */
const CONNECTIONS = 16

/** Two workers behind one port, without Redis. @returns the port of the operators, and connections of one client each */
export async function startTwoWorkers(databaseUrl: string, more: Record<string, string> = {}) {
  const { operators, service } = await onFreePort(async (operators) => {
    const env = { WORKERS: '2', METRICS_PORT: String(operators), ...more }
    return { operators, service: await startProcess({ databaseUrl, env }) }
  })
  await until(() => workersOf(service).length === 2)
  // It is ready when one of them listens.
  const readiness = async () => (await (await fetch(`http://127.0.0.1:${operators}/readyz`)).json()) as any
  if (hasMetrics) await until(async () => (await readiness()).checks.workers.status === 'ok')
  return { service, operators, remotes: Array.from({ length: CONNECTIONS }, () => openRemote(service.port, 1)) }
}

/** The pids of its workers. */
export function workersOf(service: ServiceProcess): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === service.pid)
    .map(([pid]) => pid!)
}
