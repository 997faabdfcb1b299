import { parseArgs } from 'node:util'
import { findGuards } from './guards/guards.ts'
import { endRuns, type Outcome, runTests } from './guards/run-tests.ts'

/**
 * `npm run prove:guards`: removes each guard of `guards/kinds.ts` from the source, one at a time and without touching a
 * file, runs the tests that belong to it, and requires one that fails. A run that does not end counts as noticed only if a
 * test had failed by then, by its own time-out for example.
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
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    endRuns()
    process.exit(130)
  })

const guards = findGuards().filter(({ id }) => new RegExp(values.only).test(id))
// A test that fails by itself on an equally busy machine would notice everything.
const suites = new Map(guards.map(({ noticedBy }) => [noticedBy.join(), noticedBy]))
await atOnce([...suites.values()], async (tests) => {
  const { verdict, why } = await runTests({ tests, limitMs })
  if (verdict !== 'passed') throw new Error(`With all guards in place, these do not pass: ${tests}\n${why}`)
})

const unnoticed: string[] = []
await atOnce(guards, async ({ id, noticedBy }) => {
  const first = await runTests({ tests: noticedBy, limitMs, withoutGuard: id })
  // A single failure proves nothing. It is looked for again on a new database, since what it left may hide it.
  const outcome =
    first.verdict === 'failed' ? await runTests({ tests: [first.file], limitMs, withoutGuard: id }) : first
  if (outcome.verdict !== 'failed') unnoticed.push(id)
  console.log(`${told(outcome)}  ${id}  ${outcome.failed ? `by: ${outcome.failed}` : ''}`.trim())
})
console.log(`${guards.length} guards taken away, ${guards.length - unnoticed.length} noticed`)
for (const id of unnoticed)
  console.log(`No test fails without ${id}: write one, or show that it guards nothing and remove it`)
process.exitCode = unnoticed.length ? 1 : 0

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
