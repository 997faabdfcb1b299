import { parseArgs } from 'node:util'
import { findGuards } from './guards/guards.ts'
import { endRuns, type Outcome, runTests } from './guards/run-tests.ts'

/**
 * `npm run prove:guards`: removes each guard of `guards/kinds.ts` from the source, one at a time and without touching a
 * file, runs the tests that belong to it, and then those of its plug-in, and requires one that fails. A run that does
 * not end counts as noticed only if a test had failed by then, by its own time-out for example.
 *
 *   --only pattern   those whose name matches: `--only 'second-factor|webhooks'`
 *   --at 2           so many at the same time
 *   --limit 300      a run is ended after so many seconds
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    at: { type: 'string', default: '2' },
    limit: { type: 'string', default: '300' },
  },
})
const limitMs = Number(values.limit) * 1000
// Also when tests do not pass with all guards in place, while others run.
process.once('exit', endRuns)
// Not once: a Ctrl-C comes from the terminal and from npm, and the second would end the cleaning up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const guards = findGuards().filter(({ id }) => new RegExp(values.only).test(id))
const unnoticed: string[] = []
const sound = new Map<string, Promise<void>>()
await atOnce(guards, async ({ id, noticedBy }) => {
  const outcome = await firstFailure(id, noticedBy)
  if (outcome.verdict !== 'failed') unnoticed.push(id)
  console.log(`${told(outcome)}  ${id}  ${outcome.failed ? `by: ${outcome.failed}` : ''}`.trim())
})
console.log(`${guards.length} guards taken away, ${guards.length - unnoticed.length} noticed`)
for (const id of unnoticed)
  console.log(`No test fails without ${id}: write one, or show that it guards nothing and remove it`)
process.exitCode = unnoticed.length ? 1 : 0

/** Of these tests, one set after the other. */
async function firstFailure(id: string, [tests, ...others]: readonly string[][]): Promise<Outcome> {
  await requireSound(tests!)
  const first = await runTests({ tests: tests!, limitMs, withoutGuard: id })
  if (first.verdict === 'passed' && others.length) return firstFailure(id, others)
  // A single failure proves nothing. It is looked for again on a new database, since what it left may hide it.
  return first.verdict === 'failed' ? runTests({ tests: [first.file], limitMs, withoutGuard: id }) : first
}

/** A test that fails by itself on an equally busy machine would notice everything. */
function requireSound(tests: string[]): Promise<void> {
  const run = async () => {
    const { verdict, why } = await runTests({ tests, limitMs })
    if (verdict !== 'passed') throw new Error(`With all guards in place, these do not pass: ${tests}\n${why}`)
  }
  const found = sound.get(tests.join()) ?? run()
  sound.set(tests.join(), found)
  return found
}

function told({ verdict, why, hasEnded }: Outcome): string {
  if (verdict === 'passed') return 'NOT NOTICED'
  if (verdict === 'unknown') return `NO RESULT, ${why}`
  return hasEnded ? 'noticed' : 'noticed, and the run had to be ended'
}

async function atOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values()
  const next = async () => {
    for (const one of waiting) await work(one)
  }
  await Promise.all(Array.from({ length: Number(values.at) }, next))
}
