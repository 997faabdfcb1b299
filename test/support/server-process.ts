import { spawn } from 'node:child_process'
import { openSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { administer } from '../../tools/throwaway.ts'
import { until } from './patience.ts'
import { answers } from './postgres.ts'

/**
 * The processes of a PostgreSQL of this machine that somebody else has started, and that no one else uses.
 * @param url of a superuser. The operating system keeps what was written, so this shows nothing about a loss of power.
 */
export async function findServerProcess(url: string) {
  const [{ data_directory: dataDirectory }] = await administer(url, 'show data_directory')
  const [{ unix_socket_directories: places }] = await administer(url, 'show unix_socket_directories')
  const sockets: string[] = places.split(/, */).filter(Boolean)
  const locks = [
    `${dataDirectory}/postmaster.pid`,
    ...sockets.map((dir) => `${dir}/.s.PGSQL.${new URL(url).port}.lock`),
  ]
  const postmaster = () => Number(readFileSync(locks[0]!, 'utf8').split('\n')[0])
  /** The postmaster first: it would replace those that end. */
  const all = () => [postmaster(), ...childrenOf(postmaster())]

  return {
    /** All of its processes end immediately, as when its machine fails; then it starts again, as it was started. */
    async killAndStart(pauseMs: number) {
      const pid = postmaster()
      const program = readlinkSync(`/proc/${pid}/exe`)
      const options = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1, -1)
      const args = options.map((option, at) => (options[at - 1] === '-D' ? dataDirectory : option))
      const { uid, gid } = statSync(dataDirectory)
      const log = openSync(`/proc/${pid}/fd/2`, 'a')
      const pids = all()
      for (const each of pids) signalOne(each, 'SIGKILL')
      await sleep(pauseMs)
      await until(() => !pids.some(isAlive))
      // In a container whose first process collects no others the old one keeps its number, and is taken for running.
      for (const lock of locks) rmSync(lock, { force: true })
      spawn(program, args, { uid, gid, cwd: dataDirectory, detached: true, stdio: ['ignore', log, log] }).unref()
      await until(() => answers(url))
    },
    /** None of its processes does anything for so long; its connections stay open. */
    async hang(ms: number) {
      const pids = all()
      for (const each of pids) signalOne(each, 'SIGSTOP')
      await sleep(ms)
      for (const each of pids) signalOne(each, 'SIGCONT')
    },
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statusOf(pid).includes(`\nPPid:\t${parent}\n`))
}

/** Ended, but not yet collected by its parent, it does nothing any more. */
const isAlive = (pid: number) => !/^$|\nState:\tZ/.test(statusOf(pid))

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}
