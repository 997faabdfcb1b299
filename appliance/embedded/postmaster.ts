/**
 * The server process: launched, found again by a later process, and stopped. Its pid and port are read from
 * `postmaster.pid`, which a killed process may have left.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, plainEnvironment, run } from './binaries.ts'
import { type Cluster, pathForServer } from './cluster.ts'
import { EmbeddedProblem } from './embedded-problem.ts'

export interface Postmaster {
  pid: number
  port: number
}

const largestLog = 10 * 2 ** 20

/**
 * Launches a server and resolves when it accepts connections, however long its crash recovery takes. Undefined if it
 * could not for a temporary reason (another server, a taken port) before the deadline, in epoch milliseconds. Throws an
 * EmbeddedProblem with the end of the log if PostgreSQL refuses to start.
 */
export async function launch(cluster: Cluster, port: number, deadline: number): Promise<Postmaster | undefined> {
  const logFile = join(cluster.dir, 'postgres.log')
  const log = fs.openSync(logFile, 'a', 0o600)
  if (fs.fstatSync(log).size > largestLog) fs.ftruncateSync(log)
  const logged = fs.fstatSync(log).size
  const child = spawn(join(cluster.native, 'bin', 'postgres'), serverArguments(cluster, port), {
    ...{ ...cluster.account, cwd: cluster.data, env: plainEnvironment },
    ...{ stdio: ['ignore', log, log], detached: true, windowsHide: true },
  })
  fs.closeSync(log)
  child.unref()
  let failure: unknown
  child.once('error', (error) => (failure = error)).once('exit', (code, signal) => (failure ??= code ?? signal))
  while (failure === undefined) {
    const server = readLockFile(cluster)
    if (server?.ready && server.pid === child.pid) return server
    await sleep(5)
  }
  const reason = fs.readFileSync(logFile).subarray(logged).toString().trim().slice(-2000)
  if (/shared memory block .* still in use/i.test(reason)) killOrphans(cluster)
  const passes = /address already in use|lock file .*(exists|empty)|still in use/i.test(reason)
  if (passes && Date.now() < deadline) return undefined
  throw new EmbeddedProblem(`PostgreSQL did not start (${failure}); see ${logFile}.\n${reason}`)
}

/** A port that is currently free on 127.0.0.1. */
export async function freePort(tries = 100): Promise<number> {
  // Below the ports that systems lend to outgoing connections, one of which could take it before it is used.
  const port = randomInt(10_000, 32_768)
  const probe = createServer()
  try {
    await new Promise<void>((done, fail) => probe.once('error', fail).listen(port, '127.0.0.1', done))
  } catch (error) {
    if (tries === 1) throw error
    return freePort(tries - 1)
  }
  await new Promise((done) => probe.close(done))
  return port
}

/** The server that runs in the directory now, whichever process launched it; it may be starting or stopping. */
export function findPostmaster(cluster: Cluster): Postmaster | undefined {
  const noted = readLockFile(cluster)
  if (!noted || isPostmaster(cluster, noted.pid)) return noted
  // PostgreSQL removes what a dead process left, but takes a zombie or any process with the old pid for a server.
  if (Number.isNaN(noted.pid) && Date.now() - noted.written < 1000) return undefined
  fs.rmSync(join(cluster.data, 'postmaster.pid'), { force: true })
  return undefined
}

/** Signals the server to shut down fast, and does not wait. */
export function interrupt(cluster: Cluster, { pid }: Postmaster): void {
  if (isPostmaster(cluster, pid)) process.kill(pid, 'SIGINT')
}

/** Shuts the server down fast, after ten seconds immediately, and resolves when it is gone. */
export async function stopPostmaster(cluster: Cluster, server: Postmaster): Promise<void> {
  if (process.platform === 'win32')
    await run(join(cluster.native, 'bin', 'pg_ctl'), ['stop', '-m', 'fast', '-D', cluster.data])
  interrupt(cluster, server)
  const insist = setTimeout(() => attempt(() => process.kill(server.pid, 'SIGQUIT')), 10_000)
  while (isPostmaster(cluster, server.pid)) await sleep(10)
  clearTimeout(insist)
}

function serverArguments(cluster: Cluster, port: number): string[] {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: memory >= 2 * 2 ** 30 ? '256MB' : '128MB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    // A failing statement or row may contain what must not be logged.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(cluster.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...cluster.settings,
    cluster_name: cluster.name,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', pathForServer(cluster.data), ...flags]
}

/** Reads the command line, which is readable where `/proc/<pid>/cwd` is not: for root in a container, for example. */
function isPostmaster({ name }: Cluster, pid: number): boolean {
  if (!(pid > 0) || !isAlive(pid)) return false
  return process.platform === 'win32' || commandLine(pid).endsWith(`cluster_name=${name}`)
}

/** A backend busy with a query does not notice that its server was killed, and keeps memory that the next one needs. */
function killOrphans(cluster: Cluster): void {
  if (process.platform !== 'linux') return
  for (const pid of fs.readdirSync('/proc').map(Number)) {
    const ours = commandLine(pid).startsWith(`postgres: ${cluster.name}: `)
    if (ours && !isPostmaster(cluster, parentOf(pid))) attempt(() => process.kill(pid, 'SIGKILL'))
  }
}

/** Empty if there is no such process. Its arguments are not separated. */
function commandLine(pid: number): string {
  const read = () =>
    process.platform === 'linux'
      ? fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return attempt(read)?.replaceAll('\0', ' ').trimEnd() ?? ''
}

function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(attempt(() => fs.readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '')?.[1])
}

/** For questions about processes, which may end at any moment. */
function attempt<T>(question: () => T): T | undefined {
  try {
    return question()
  } catch {
    return undefined
  }
}

interface LockFile extends Postmaster {
  ready: boolean
  /** epoch milliseconds */
  written: number
}

function readLockFile({ data }: Cluster): LockFile | undefined {
  const file = join(data, 'postmaster.pid')
  try {
    const lines = fs.readFileSync(file, 'latin1').split('\n')
    const process = { pid: Number.parseInt(lines[0] ?? '', 10), port: Number(lines[3]) }
    return { ...process, ready: lines[7]?.trim() === 'ready', written: fs.statSync(file).mtimeMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
