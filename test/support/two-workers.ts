import { execFileSync } from 'node:child_process'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { until } from './patience.ts'
import { openRemote, type Remote } from './remote.ts'
import { type ServiceProcess, startProcess } from './service.ts'

/** As many as reach both workers: the kernel deals them out by their ports, so that all go to one happens once in 2^15. */
const CONNECTIONS = 16

export interface TwoWorkers {
  service: ServiceProcess
  /** the port of the operators */
  operators: number
  /** connections of one client each */
  remotes: Remote[]
}

/** Two workers behind one port, without Redis. */
export async function startTwoWorkers(databaseUrl: string, more: Record<string, string> = {}): Promise<TwoWorkers> {
  const operators = await freePort()
  const env = { WORKERS: '2', METRICS_PORT: String(operators), ...more }
  const service = await startProcess({ databaseUrl, env })
  await until(() => workersOf(service).length === 2)
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
