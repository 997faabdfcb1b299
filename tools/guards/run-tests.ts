import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failuresIn, type Report } from '../test/report.ts'
import { ROOT } from './guards.ts'

export interface Outcome {
  /** `unknown`: the run was ended before it had a result, or no test could run */
  verdict: 'passed' | 'failed' | 'unknown'
  /** the first test that failed, its file, and why */
  failed: string
  file: string
  why: string
  hasEnded: boolean
}

export interface Run {
  /** globs below the root */
  tests: readonly string[]
  limitMs: number
  withoutGuard?: string
}

const COMMAND = ['run', '--config', 'tools/guards/vitest.config.ts', '--reporter', 'json']
const running = new Map<ChildProcess, string>()

/** Runs tests on a source without one guard. */
export async function runTests({ tests, limitMs, withoutGuard = '' }: Run): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'guards-'))
  const report = join(folder, 'report.json')
  const env = {
    ...process.env,
    // What no longer comes about without the guard is not waited for for long.
    TEST_PATIENCE_MS: '15000',
    TMPDIR: folder,
    GUARD_TESTS: JSON.stringify(tests),
    WITHOUT_GUARD: withoutGuard,
  }
  const child = spawn('vitest', [...COMMAND, '--outputFile', report], {
    ...{ cwd: ROOT, env, stdio: 'ignore' },
    // With its workers it is a group of its own, which can be ended as a whole.
    detached: true,
  })
  running.set(child, folder)
  const limit = setTimeout(() => end(child, folder), limitMs)
  try {
    const hasEnded = await new Promise<boolean>((resolve, reject) => {
      child.on('error', reject).on('close', (_, signal) => resolve(signal === null))
    })
    if (!hasEnded && !existsSync(report))
      return { verdict: 'unknown', failed: '', file: '', why: `no result within ${limitMs / 1000} s`, hasEnded }
    return { ...read(JSON.parse(readFileSync(report, 'utf8'))), hasEnded }
  } finally {
    clearTimeout(limit)
    running.delete(child)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Ends what runs, before the program itself ends. */
export function endRuns(): void {
  for (const [child, folder] of running) {
    end(child, folder)
    // PostgreSQL removes files meanwhile, at which a removal ends early.
    while (existsSync(folder)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function end(child: ChildProcess, folder: string): void {
  process.kill(-child.pid!, 'SIGKILL')
  // Its PostgreSQL has left the group.
  for (const path of globSync('**/postmaster.pid', { cwd: folder }))
    process.kill(Number(readFileSync(join(folder, path), 'utf8').split('\n', 1)[0]), 'SIGQUIT')
}

function read(report: Report): Omit<Outcome, 'hasEnded'> {
  if (report.success) return { verdict: 'passed', failed: '', file: '', why: '' }
  const failures = failuresIn(report, ROOT)
  const failure = failures.find(({ test }) => test) ?? failures.find(({ hasPassed }) => hasPassed)
  if (!failure) {
    const why = `no test could run: ${failures.map(({ why }) => why)}`
    return { verdict: 'unknown', failed: '', file: '', why }
  }
  // What is asserted after the last test of a file is no test of its own.
  const { test: failed = 'what holds after all tests of a file', file, why } = failure
  return { verdict: 'failed', failed, file, why }
}
