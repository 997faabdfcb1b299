import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectGolden, filesLike, partOf } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { findForgottenGuards, listGuardedActions } from '../support/guards.ts'
import { readSources } from '../support/source.ts'

/** Whether a guard is needed, `npm run prove:guards` shows; here it is only seen that none gets lost on the way. */
const guarded = listGuardedActions(readSources())
const reviewed = filesLike('test/contract/guards.txt', 'test/golden/guards.txt').flatMap((file) =>
  readFileSync(file, 'utf8').trim().split('\n'),
)

test('no action has lost a lock, or a condition at its commit', async () => {
  expectNone(findForgottenGuards(reviewed, guarded))
  await expectGolden(
    { file: 'guards.txt', means: 'An action has another lock, or another condition at its commit' },
    (of) =>
      partOf(
        of,
        guarded.map((line) => [line.split('.')[0]!, line]),
      ),
  )
})

test('one that has is named', () => {
  const source = (...lines: string[]) =>
    listGuardedActions([
      {
        path: 'src/domains/hats/hats.store.ts',
        text: "export const stillClean = requireAtCommit((from) => from('hats'))",
      },
      {
        path: 'src/domains/hats/hats.actions.ts',
        text: ['export async function wear(tx: Tx) {', ...lines, '}'].join('\n'),
      },
    ])
  const reviewed = source('  stillClean(tx, { id })')

  expect(reviewed).toEqual(['hats.wear: stillClean'])
  expect(findForgottenGuards(reviewed, source('  saveHat(tx, { id })'))).toEqual([
    'hats.wear no longer calls stillClean, and what it has read may change before it commits: call it, or remove it from test/contract/guards.txt',
  ])
})
