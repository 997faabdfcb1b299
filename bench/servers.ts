import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../appliance/embedded/postmaster.ts'

export interface Server {
  name: string
  pid: number
  port: number
  /** ms from the start of the process to its first 200 on /readyz */
  readyMs: number
  /** what it has written to stderr, and how it ended if it has */
  words(): string
  stop(): Promise<void>
}

/** The options before the file in the line of `npm start`. */
const AS_NPM_START = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  .scripts.start.split(' ')
  .slice(1, -1) as string[]

interface Script {
  script: string
  flags: readonly string[]
  environment?: Record<string, string>
}

export const SCRIPTS = {
  'hand-written': { script: './by-hand/server.ts', flags: [] },
  bare: { script: './bare.ts', flags: [] },
  atrium: { script: '../start.js', flags: AS_NPM_START },
  'two workers': { script: '../start.js', flags: AS_NPM_START, environment: { WORKERS: '2' } },
  /** atrium whose commands write no audit row */
  unaudited: {
    script: '../start.js',
    flags: [...AS_NPM_START, '--import', new URL('./unaudited.ts', import.meta.url).href],
  },
} satisfies Record<string, Script>
export type ServerName = keyof typeof SCRIPTS

/** Starts one of the servers as its own process and waits until it is ready. */
export async function startServer(
  name: ServerName,
  environment: Record<string, string>,
  flags: string[] = [],
  checkout?: string,
): Promise<Server> {
  const port = await freePort()
  const { script, flags: own, environment: setting }: Script = SCRIPTS[name]
  const file = checkout ? join(checkout, 'bench', script) : fileURLToPath(new URL(script, import.meta.url))
  const start = performance.now()
  const child = spawn(process.execPath, [...own, ...flags, file], {
    // Not in a folder where a developer has a `.env`.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...environment, ...setting, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let written = ''
  child.stderr.on('data', (chunk) => (written += chunk))
  child.once('exit', (code, signal) => (written += `\n${name} ended with ${signal ?? code}`))
  const words = () => written
  await ready(child, port, words)
  return { name, pid: child.pid!, port, readyMs: performance.now() - start, words, stop: () => stop(child) }
}

async function ready(child: ChildProcess, port: number, words: () => string) {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`not ready: ${words()}`)
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await sleep(3)
  }
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const TICKS_PER_SECOND = 100

/** CPU seconds that a process and its workers have used so far; NaN if there is no /proc. */
export function cpuOf(pid: number): number {
  return sumOf(pid, (one) => ticks(one, ['user', 'system'])) / TICKS_PER_SECOND
}

/** CPU seconds of a PostgreSQL server with all its processes, including ended ones. */
export function cpuOfPostgres(postmaster: number): number {
  const sum = childrenOf(postmaster).reduce((sum, pid) => sum + cpuOf(pid), 0)
  return sum + ticks(postmaster, ['user', 'system', 'childUser', 'childSystem']) / TICKS_PER_SECOND
}

/** CPU seconds that the whole machine has used so far. */
export function cpuOfMachine(): number {
  const times = cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq)
  return times.reduce((sum, ms) => sum + ms, 0) / 1000
}

/** MiB of memory in use, by a process and its workers. */
export function rssOf(pid: number): number {
  return sumOf(pid, (one) => {
    if (!existsSync(`/proc/${one}/status`)) return Number.NaN
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1]) / 1024
  })
}

function sumOf(pid: number, figure: (pid: number) => number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + figure(one), 0)
}

const FIELD = { user: 11, system: 12, childUser: 13, childSystem: 14 }

function ticks(pid: number, fields: (keyof typeof FIELD)[]): number {
  if (!existsSync(`/proc/${pid}/stat`)) return Number.NaN
  const values = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
  return fields.reduce((sum, field) => sum + Number(values[FIELD[field]]), 0)
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, 'latin1').trim().split(' ').filter(Boolean).map(Number) : []
}
