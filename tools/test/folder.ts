import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../appliance/embedded/binaries.ts'

const PREFIX = 'atrium-tests-'
/** What a run of all tests writes at most at the same time. */
const NEEDED_GB = 1.5
/** A folder in memory: each database has 800 files, and making one takes a millisecond on some disks. */
const IN_MEMORY = '/dev/shm'
/** How long a database is given to stop: it kills its own processes after five seconds. */
const STOP_MS = 6000
const POLL_MS = 20
/** Of memory that nothing uses, before a run takes some of it for its files. */
const SPARE_GB = 8

/**
 * Makes the folder of this run, whose name tells whose it is: in memory where there is plenty and TMPDIR names no other
 * place. Says so if there is little room.
 */
export function startRun(): string {
  const place = hasSpareMemory() ? IN_MEMORY : tmpdir()
  if (freeGb(place) < NEEDED_GB)
    console.warn(`${place} has ${freeGb(place).toFixed(1)} GB free, and all tests together need ${NEEDED_GB} GB there.`)
  const folder = join(place, `${PREFIX}${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  // Some services run as other users, who make folders in it.
  chmodSync(folder, 0o1777)
  return folder
}

function hasSpareMemory(): boolean {
  if (process.env.TMPDIR || freemem() / 1e9 < SPARE_GB || freeGb(IN_MEMORY) < 2 * NEEDED_GB) return false
  if (!isWritable(IN_MEMORY)) return false
  // Some tests run programs from their folder, which a container may refuse here.
  return !new RegExp(` ${IN_MEMORY} .*noexec`).test(read('/proc/self/mounts'))
}

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** @returns 0 if there is no such place */
function freeGb(place: string): number {
  if (!existsSync(place)) return 0
  const { bavail, bsize } = statfsSync(place)
  return (bavail * bsize) / 1e9
}

/** Removes what runs have left that were killed. */
export function sweepDeadRuns(): void {
  for (const place of [tmpdir(), IN_MEMORY].filter(existsSync))
    for (const name of readdirSync(place)) {
      const [, pid] = new RegExp(`^${PREFIX}(\\d+)$`).exec(name) ?? []
      if (pid && !isAlive(Number(pid))) removeRun(join(place, name))
    }
}

/** Ends the processes of a run, unmounts its disks and removes its folder. Leaves alone what belongs to another user. */
export function removeRun(folder: string): void {
  stopServers(folder)
  // A process that is ended may just have made another one.
  for (let pids = processesOf(folder); pids.length > 0; pids = processesOf(folder)) {
    for (const pid of pids) signal(pid, 'SIGKILL')
  }
  for (const disk of disksIn(folder)) spawnSync('umount', ['-l', disk])
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  } catch {
    console.warn(`${folder} cannot be removed: it is another user's`)
  }
}

/** Databases give shared memory back when they stop immediately, and leave it to the machine when they are killed. */
function stopServers(folder: string): void {
  const running = () => processesOf(folder).filter(isPostmaster)
  for (const pid of running()) signal(pid, 'SIGQUIT')
  for (let waited = 0; waited < STOP_MS && running().length > 0; waited += POLL_MS)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
}

/**
 * The living processes that work in this folder, or name it in their words or environment: the servers of databases
 * too, which run detached. Without /proc, the servers of databases that have noted their number.
 */
function processesOf(folder: string): number[] {
  if (process.platform !== 'linux') return postmastersIn(folder).filter(isAlive)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => namesFolder(`/proc/${pid}`, folder) && !/\nState:\t[ZX]/.test(read(`/proc/${pid}/status`)))
    .map(Number)
}

/**
 * Of a process in the folder: whether it works in the data of a database, and is the first of it. One that makes a database
 * notes its number with a minus.
 */
function isPostmaster(pid: number): boolean {
  return process.platform !== 'linux' || Math.abs(pidIn(join(cwdOf(`/proc/${pid}`), 'postmaster.pid'))) === pid
}

/** What is mounted in this folder; the innermost first. */
function disksIn(folder: string): string[] {
  return read('/proc/self/mounts')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
    .filter((path) => path.startsWith(`${folder}/`))
    .reverse()
}

function namesFolder(place: string, folder: string): boolean {
  const names = (text: string) =>
    `${text}\0`
      .split(folder)
      .slice(1)
      .some((rest) => !/^\d/.test(rest))
  return names(read(`${place}/environ`)) || names(read(`${place}/cmdline`)) || names(cwdOf(place))
}

function cwdOf(place: string): string {
  try {
    return readlinkSync(`${place}/cwd`)
  } catch {
    return ''
  }
}

function postmastersIn(folder: string): number[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('postmaster.pid'))
    .flatMap((path) => pidIn(join(folder, path)) || [])
}

/** @returns NaN if there is none */
function pidIn(file: string): number {
  return Number.parseInt(read(file), 10)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has just ended.
  }
}
