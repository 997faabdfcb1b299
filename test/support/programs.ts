import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { until } from './patience.ts'

/** The compiler of the project, for tests that run without npm as well. */
export const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))

/** Debian's folder for the programs of services, which the PATH of an ordinary user leaves out. */
const OF_SERVICES = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** The programs that tests use where they are installed, with Debian's package. Without one, its tests are skipped. */
const PROGRAMS = {
  'redis-server': 'redis-server',
  nginx: 'nginx-light',
  pgbouncer: 'pgbouncer',
  chromium: 'chromium',
  promtool: 'prometheus',
  bash: 'bash',
  curl: 'curl',
  jq: 'jq',
  kubectl: 'kubectl',
  openssl: 'openssl',
  python3: 'python3',
} as const
export type Program = keyof typeof PROGRAMS

/** The path of a program, wherever the machine keeps it; undefined if it is not installed. */
export function findProgram(name: Program): string | undefined {
  if (name === 'chromium' && process.env.CHROMIUM) return process.env.CHROMIUM
  // The same browser without its own windows, which Debian installs beside it: two thirds of the CPU.
  if (name === 'chromium') return inPath('chromium-headless-shell') ?? inPath(name)
  return inPath(name)
}

function inPath(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...OF_SERVICES]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Whether somebody listens on a port of this machine. */
export async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => void child.kill('SIGKILL')))

/** Kills a program with this process, if it has not ended by then. @returns the same */
export function diesWithUs<Child extends ChildProcess>(child: Child): Child {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/**
 * Starts a program on a port that is free, and on another one if somebody has taken it meanwhile.
 * @param start throws what the program has said of it
 */
export async function onFreePort<T>(start: (port: number) => Promise<T>, tries = 5): Promise<T> {
  try {
    return await start(await freePort())
  } catch (error) {
    if (tries === 1 || !/\bin use\b/.test((error as Error).message)) throw error
    return onFreePort(start, tries - 1)
  }
}

/** Starts a program, and waits until it is ready. @throws with what it has said, if it ends before */
export async function launch(
  program: string,
  flags: readonly string[],
  isReady: () => Promise<unknown>,
  options: SpawnOptions = {},
): Promise<{ child: ChildProcess; output(): string }> {
  const child = diesWithUs(spawn(program, flags, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }))
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => (output += text))
  let isOver = false
  child.once('close', () => (isOver = true))
  await until(async () => isOver || (await isReady()) !== false)
  if (isOver || child.exitCode !== null) throw new Error(`${basename(program)} did not start:\n${output}`)
  return { child, output: () => output }
}

/** Ends a program, if it has not ended, and waits for its end. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** A line for each program that is missing, with what installs it. */
export function missingPrograms(): string[] {
  return Object.entries(PROGRAMS)
    .filter(([name]) => !findProgram(name as Program))
    .map(([name, debianPackage]) => `skipped without ${name}: apt-get install ${debianPackage}`)
}
