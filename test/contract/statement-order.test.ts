import { expect, test } from 'vitest'
import { outside } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { readSources } from '../support/source.ts'
import { findDisorder } from '../support/statement-order.ts'

test('no action reads before it locks in one flight, and none hides a lock among reads', () => {
  expectNone([undefined, ...outside.map(({ folder }) => folder)].flatMap((folder) => findDisorder(readSources(folder))))
})

test('an order that the product says would be missed, were it not said, wherever the flight reads as well', () => {
  const unordered = readSources().map((file) => ({
    ...file,
    text: file.text.replaceAll('tx.inOrder(', 'Promise.all('),
  }))
  const found = findDisorder(unordered)
  expect(found.length).toBeGreaterThanOrEqual(14)
  for (const sentence of found) expect(sentence).toMatch(/in a Promise\.all: use tx\.inOrder, and lock first$/)
})

const STORE = `
export const findHat = find((from) => from('hats'))
export const listHats = paginate((from) => from('hats'))
export const findSeen = find(
  (from) => from('hats'),
  { beforeLock: true },
)
export const lockHat = lock((from) => from('hats'))
export const lockHats = directory.lockAll((from) => from('hats'))
`
const given = (...lines: string[]) =>
  findDisorder([
    { path: 'hats.store.ts', text: STORE, imports: [] },
    {
      path: 'hats.actions.ts',
      text: `${lines.join('\n')}\n`,
      imports: [{ from: 'hats.store.ts', names: '{ findHat, listHats, findSeen, lockHat, lockHats }', isType: false }],
    },
  ])

test('a lock in a Promise.all beside a read is named with its place and the cure', () => {
  expect(given('/** Two', ' * lines */', 'await Promise.all([lockHat(tx, {}), findHat(tx, {})])')).toEqual([
    'hats.actions.ts:3 locks (lockHat) and reads (findHat) in a Promise.all: use tx.inOrder, and lock first',
  ])
})

test('so is a read before a lock in tx.inOrder', () => {
  expect(given('await tx.inOrder([', '  lockHat(tx, {}),', '  listHats(tx, {}),', '  lockHats(tx, {}),', '])')).toEqual(
    [
      'hats.actions.ts:1 reads (listHats) before it locks (lockHats): lock first, or declare the read with { beforeLock: true }',
    ],
  )
})

test('what a helper asks in the same turn belongs to the flight, what it asks after an answer does not', () => {
  const helper = (first: string, then: string) => [
    'async function load(tx: Tx) {',
    `  const hat = await ${first}(tx, {})`,
    `  return hat ?? ${then}(tx, {})`,
    '}',
  ]
  expect(given('await tx.inOrder([load(tx), lockHat(tx, {})])', ...helper('findHat', 'lockHat'))).toEqual([
    'hats.actions.ts:1 reads (findHat) before it locks (lockHat): lock first, or declare the read with { beforeLock: true }',
  ])
  expect(given('await tx.inOrder([load(tx), lockHat(tx, {})])', ...helper('lockHat', 'findHat'))).toEqual([])
})

test('locks first, a read that says it comes before, reads among reads and locks among locks are right', () => {
  expect(
    given(
      'await tx.inOrder([findSeen(tx, {}), lockHat(tx, {}), findHat(tx, {})])',
      'await Promise.all([findHat(tx, {}), listHats(tx, {})])',
      'await Promise.all([lockHats(tx, {}), lockHat(tx, {})])',
    ),
  ).toEqual([])
})
