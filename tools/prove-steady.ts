import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { failuresIn, type Report } from './test/report.ts'
import { slowness } from './test/slowness.ts'

/**
 * `npm run prove:steady -- --rounds 10 --load 16 [-- words of npm test]`: runs all tests again and again beside so many
 * processes that never rest, and reports each test that ever failed.
 */
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, load: { type: 'string', default: '16' } },
  allowPositionals: true,
})
/** of the reason why a test failed: enough for the last words of a service that did not start */
const MOST_LINES = 12
const [rounds, load] = [Number(values.rounds), Number(values.load)]

const folder = mkdtempSync(join(tmpdir(), 'atrium-steady-'))
const busy = Array.from({ length: load }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
const failures = new Map<string, number>()
const stop = () => {
  for (const child of busy) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
// Not once: a Ctrl-C comes from the terminal and from npm, and the second would end the cleaning up.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stop()
    process.exit(130)
  })

for (let round = 1; round <= rounds; round++) {
  const start = performance.now()
  const slow = slowness().toFixed(1)
  const failed = failedOf(await runOnce(join(folder, `${round}.json`)))
  for (const { name } of failed) failures.set(name, (failures.get(name) ?? 0) + 1)
  const minutes = ((performance.now() - start) / 60_000).toFixed(1)
  console.log(
    `round ${round} of ${rounds}, beside ${load} busy processes, ${slow} times as slow as at rest: ${minutes} min, ${failed.length} failed`,
  )
  for (const { name, why } of failed) console.log(`  ${name}\n    ${why}`)
}
stop()
for (const [name, times] of failures) console.log(`failed ${times} of ${rounds} times: ${name}`)
console.log(failures.size ? `${failures.size} tests are not steady` : `no test failed in ${rounds} rounds`)
process.exitCode = failures.size ? 1 : 0

/** @returns the report, or what the run printed if it ended without one */
function runOnce(file: string): Promise<Report | string> {
  const words = ['tools/test.ts', ...positionals, '--reporter=json', `--outputFile.json=${file}`]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve) =>
    child.once('close', () => {
      try {
        resolve(JSON.parse(readFileSync(file, 'utf8')))
      } catch {
        resolve(output)
      }
    }),
  )
}

/** What failed, and the first lines of its reason; a file that could not be run counts as one. */
function failedOf(report: Report | string): { name: string; why: string }[] {
  if (typeof report === 'string') return [{ name: 'the run gave no report', why: report.slice(-2000) }]
  return failuresIn(report, process.cwd()).map(({ file, test, why }) => ({
    name: test ? `${file}: ${test}` : file,
    why: why.split('\n').slice(0, MOST_LINES).join('\n    '),
  }))
}
