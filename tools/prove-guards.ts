import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findGuards, ROOT } from './guards/guards.ts'

/**
 * `npm run prove:guards`: removes each lock, each condition at commit and each claim from the source, one at a time and
 * without touching a file, runs the tests that belong to them, and requires one that fails. `--only text` takes those
 * whose name contains the text.
 */
const { only = '', at } = parseArgs({ options: { only: { type: 'string' }, at: { type: 'string' } } }).values
const AT_ONCE = Number(at ?? 2)
const COMMAND = ['run', '--config', 'tools/guards/vitest.config.ts', '--reporter', 'json']

interface Outcome {
  passed: boolean
  /** the first test that failed, or why there is none */
  noticedBy: string
  why: string
}

// With the same concurrency as later: a test that fails by itself on an equally busy machine would notice everything.
for (const { passed, noticedBy, why } of await Promise.all(
  Array.from({ length: AT_ONCE + 1 }, () => runTests(undefined)),
))
  if (!passed) throw new Error(`With all guards in place, this fails: ${noticedBy}\n${why}`)

const guards = findGuards().filter(({ id }) => id.includes(only))
const waiting = guards.entries()
const unnoticed: string[] = []
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (const [, { id }] of waiting) {
      const { passed, noticedBy } = await runTests(id)
      if (passed) unnoticed.push(id)
      console.log(`${passed ? 'NOT NOTICED' : 'noticed'}  ${id}${passed ? '' : `  by: ${noticedBy}`}`)
    }
  }),
)
console.log(`${guards.length} guards taken away, ${guards.length - unnoticed.length} noticed`)
for (const id of unnoticed)
  console.log(`No test fails without ${id}: write one, or show that it guards nothing and remove it`)
process.exitCode = unnoticed.length ? 1 : 0

function runTests(withoutGuard: string | undefined): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, WITHOUT_GUARD: withoutGuard ?? '' }
    const folder = mkdtempSync(join(tmpdir(), 'guards-'))
    const report = join(folder, 'report.json')
    const child = spawn('vitest', [...COMMAND, '--outputFile', report], { cwd: ROOT, env, stdio: 'ignore' })
    child.on('error', reject)
    child.on('close', () => {
      try {
        resolve(read(JSON.parse(readFileSync(report, 'utf8'))))
      } catch (error) {
        reject(error)
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  })
}

interface Report {
  success: boolean
  testResults: {
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

function read({ success, testResults }: Report): Outcome {
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed'),
  )
  if (!success && !failed.length) throw new Error(`no test could run: ${testResults.map(({ message }) => message)}`)
  return { passed: success, noticedBy: failed[0]?.fullName ?? '', why: failed[0]?.failureMessages[0] ?? '' }
}
