import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Stops every process of an embedded server: its connections stay, and the kernel takes more, but nothing is answered. */
export function freezePostgres(dir: string): { thaw(): void } {
  const pid = postmasterOf(dir)
  // First, or it would make others meanwhile.
  process.kill(pid, 'SIGSTOP')
  const children = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .map(Number)
  const frozen = [pid, ...children.filter(Boolean)]
  for (const each of frozen) if (isAlive(each)) process.kill(each, 'SIGSTOP')
  process.once('exit', thaw)
  return { thaw }

  function thaw() {
    process.off('exit', thaw)
    for (const each of frozen.splice(0)) if (isAlive(each)) process.kill(each, 'SIGCONT')
  }
}

export function postmasterOf(dir: string): number {
  return Number.parseInt(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'latin1'), 10)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
