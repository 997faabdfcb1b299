import '../../src/domains/index.ts'
import { describe, expect, test } from 'vitest'
import { expectNone } from '../support/expect-none.ts'
import {
  findClockBeforeStatement,
  findForgottenTranslations,
  findStatementsOutsideOfStores,
  findTransactionsInReads,
  findUnawaitedStatements,
} from '../support/mistakes.ts'
import { readSources } from '../support/source.ts'

/** Mistakes that compile and start. Each is made once here, to see that it is told with its place and its cure. */
const sources = readSources()
const at = (path: string, ...lines: string[]) => [{ path, text: `${lines.join('\n')}\n` }]

describe('a statement that is declared outside of a store', () => {
  /** Before there is a service: the statement is a lock and nothing else. */
  const REVIEWED = ['src/domains/tenants/bootstrap.ts']

  test('is nowhere', () => expectNone(findStatementsOutsideOfStores(sources, REVIEWED)))

  test('is named', () => {
    const hats = at('src/domains/hats/hats.actions.ts', '', 'const findHat = find((from) =>', "  from('hats'),", ')')
    expect(findStatementsOutsideOfStores(hats, [])).toEqual([
      'src/domains/hats/hats.actions.ts:2 declares the statement findHat by find: statements belong into the store of the domain, *.store.ts',
    ])
    const store = at('src/domains/hats/hats.store.ts', "export const findHat = find((from) => from('hats'))")
    expect(findStatementsOutsideOfStores(store, [])).toEqual([])
  })
})

describe('a GET that opens a transaction', () => {
  const route = (method: string) =>
    at(
      'src/domains/hats/hats.routes.ts',
      '  app.post(',
      "    '/hats',",
      '    (req) => req.transact((tx) => makeHat(tx)),',
      '  )',
      `  app.${method}(`,
      "    '/hats/:id',",
      '    (req) => req.transact((tx) => readHat(tx)),',
      '  )',
    )

  test('is nowhere', () => expectNone(findTransactionsInReads(sources)))

  test('is named', () => {
    expect(findTransactionsInReads(route('get'))).toEqual([
      'src/domains/hats/hats.routes.ts:7 transacts in a GET, which only reads: use req.scope, or make it a POST',
    ])
    expect(findTransactionsInReads(route('put'))).toEqual([])
  })
})

describe('an action that reads the clock before its first statement', () => {
  const action = (...lines: string[]) =>
    at('src/domains/hats/hats.actions.ts', 'export async function wear(tx: Tx) {', ...lines, '}')

  test('is nowhere', () => expectNone(findClockBeforeStatement(sources)))

  test('is named', () => {
    expect(findClockBeforeStatement(action('  const since = tx.now', '  const hat = await lockHat(tx, {})'))).toEqual([
      'src/domains/hats/hats.actions.ts:2 wear reads tx.now before it has awaited a statement: it is known only behind the first one',
    ])
    expect(findClockBeforeStatement(action('  const hat = await lockHat(tx, {})', '  const since = tx.now'))).toEqual(
      [],
    )
  })
})

describe('a statement whose answer nobody waits for', () => {
  test('is nowhere', () => expectNone(findUnawaitedStatements(sources)))

  test('is named', () => {
    const given = (...lines: string[]) => [
      ...at('src/domains/hats/hats.store.ts', "export const admitHat = writeReturning(({ insert }) => insert('hats'))"),
      ...at('src/domains/hats/hats.actions.ts', 'export async function wear(tx: Tx) {', ...lines, '}'),
    ]
    expect(findUnawaitedStatements(given('  admitHat(tx, {})'))).toEqual([
      'src/domains/hats/hats.actions.ts:2 does not wait for admitHat: await it, or declare it by write',
    ])
    expect(
      findUnawaitedStatements(given('  await admitHat(tx, {})', '  return (tx) =>', '    admitHat(tx, {})')),
    ).toEqual([])
    expect(findUnawaitedStatements(given('  await tx.inOrder([', '    admitHat(tx, {}),', '  ])'))).toEqual([])
  })
})

describe('a sentence that is said in one language', () => {
  test('is nowhere', () => expectNone(findForgottenTranslations(sources)))

  test('is named', () => {
    const fault = at(
      'src/domains/hats/hats.rules.ts',
      'export const hatFaults = {',
      "  worn: fault('HAT_WORN', 409, 'The hat is worn'),",
      '}',
    )
    expect(findForgottenTranslations(fault)).toEqual([
      "src/domains/hats/hats.rules.ts:2 says 'The hat is worn', which has no translation: write it, with its Chinese, where the sentences of the domain are",
    ])
  })
})
