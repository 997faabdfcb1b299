import '../support/domains.ts'
import { describe, expect, test } from 'vitest'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { expectNone } from '../support/expect-none.ts'
import {
  findClockBeforeStatement,
  findForgottenTranslations,
  findStatementsOutsideOfStores,
  findTransactionsInReads,
  findUnawaitedStatements,
} from '../support/mistakes/calls.ts'
import { findLocalZone, findProcessClock } from '../support/mistakes/clocks.ts'
import {
  findEnvironment,
  findJobsInRoutes,
  findTimers,
  findUtcDays,
  findWalksByHand,
} from '../support/mistakes/jobs.ts'
import { findStatementsInLoops } from '../support/mistakes/loops.ts'
import {
  findForgottenCallbacks,
  findStateInProcess,
  findSwallowedFaults,
  findTransactionsPastRequest,
} from '../support/mistakes/process.ts'
import { readDomains, readSources } from '../support/source.ts'

/**
 * Mistakes that compile and start. Each is made once here, to check that it is reported with its place and its cure.
 */
const sources = readDomains()
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
      'src/domains/hats/hats.actions.ts:2 wear reads tx.now before it has awaited a statement: move this after the first await',
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

describe('a clock of the process in a decision', () => {
  test('is nowhere', () => expectOnlyExceptions('the clock of the process', findProcessClock(sources)))

  test('is named; an instant that is written otherwise is none', () => {
    const rule = (line: string) => at('src/domains/hats/hats.rules.ts', line)
    expect(findProcessClock(rule('const worn = Date.now()'))[0]!.says).toBe(
      'src/domains/hats/hats.rules.ts:1 reads the clock of the process (Date.now(): use tx.now, or clock_timestamp() in a statement',
    )
    expect(findProcessClock(rule('const day = new Date(now).toISOString()'))).toEqual([])
  })
})

describe('a day in the time zone of the machine', () => {
  test('is nowhere in the service', () =>
    expectOnlyExceptions('the time zone of the machine', findLocalZone([...readSources(), ...sources])))

  test.each(['date.toLocaleDateString()', 'date.getDate()', 'new Intl.DateTimeFormat()'])('is named: %s', (line) => {
    expect(findLocalZone(at('src/domains/hats/hats.routes.ts', line))).toHaveLength(1)
  })

  test('is none where UTC is said', () =>
    expect(findLocalZone(at('src/domains/hats/hats.rules.ts', 'date.getUTCDate()'))).toEqual([]))
})

describe('state of a domain in the process', () => {
  test('is nowhere, but for what may be forgotten', () =>
    expectOnlyExceptions('state in the process', findStateInProcess(sources)))

  test('is named; a table of constants is none', () => {
    const rules = (line: string) => findStateInProcess(at('src/domains/hats/hats.rules.ts', line))
    for (const line of ['let worn = 0', 'const worn = new Map<number, Hat>()', 'export const worn: Hat[] = []'])
      expect(rules(line)[0]!.says).toContain('keeps worn in the process')
    expect(rules("const SIZES = new Set(['S', 'M'])")).toEqual([])
  })
})

describe('an async function that nobody waits for', () => {
  test('is nowhere', () => expectNone(findForgottenCallbacks([...readSources(), ...sources])))

  test('is named', () => {
    const given = at('src/domains/hats/hats.actions.ts', 'hats.forEach(async (hat) => wear(tx, hat))')
    expect(findForgottenCallbacks(given)[0]).toContain('gives forEach an async function, for which it does not wait')
  })
})

describe('a route that opens a transaction of its own', () => {
  test('is nowhere, but for those that enter another tenant', () =>
    expectOnlyExceptions('a transaction past the request', findTransactionsPastRequest(sources)))

  test('is named', () => {
    const imports = [{ from: '#atrium', names: '{ openScope, transact, z }', isType: false }]
    const [file] = at('src/domains/hats/hats.routes.ts', '')
    const found = findTransactionsPastRequest([{ ...file!, code: '', imports }])
    expect(found.map(({ says }) => says)).toEqual([
      'src/domains/hats/hats.routes.ts imports openScope, past the audit and the Idempotency-Key of the request: use req.scope',
      'src/domains/hats/hats.routes.ts imports transact, past the audit and the Idempotency-Key of the request: use req.transact',
    ])
  })
})

describe.each([
  {
    what: 'a timer in a domain',
    find: findTimers,
    line: 'setInterval(clean, 1000)',
    says: 'repeats work by setInterval, which the page of jobs does not show: declare it among the jobs of the domain',
  },
  {
    what: 'a walk through the tenants by hand',
    find: findWalksByHand,
    line: 'for await (const scope of everyTenant(database)) await clean(scope)',
    says: 'goes through the tenants by hand, where one holds up the others: declare a job with inTenants, whose work is a batch in one of them',
  },
  {
    what: 'a walk through the tenants by hand',
    find: findWalksByHand,
    line: 'for (const { id } of await listOpenTenants(sharedScope(database), {})) {',
    says: 'goes through the tenants by hand, where one holds up the others: declare a job with inTenants, whose work is a batch in one of them',
  },
  {
    what: 'background work that a route starts',
    find: findJobsInRoutes,
    line: 'const cleaning = startCleaning(app.database)',
    says: 'starts background work in a route by startCleaning: declare it among the jobs of the domain, which src/app.ts starts',
  },
  {
    what: 'a setting past the configuration',
    find: findEnvironment,
    line: 'const most = Number(process.env.HATS ?? 3)',
    says: 'reads process.env, which nobody checks or documents: add the setting to src/config, and take it from the config that routes and jobs are given',
  },
  {
    what: 'a day in UTC',
    find: findUtcDays,
    line: 'const day = new Date(at).toISOString().slice(0, 10)',
    says: 'forms a day in UTC, which is another one for most people: form it in the time zone of the tenant, which getPolicy returns',
  },
])('$what', ({ what, find, line, says }) => {
  test('is nowhere', () => expectOnlyExceptions(what, find(sources)))

  test(`is named: ${line}`, () => {
    expect(find(at('src/domains/hats/hats.routes.ts', '', `  ${line}`))).toEqual([
      { place: 'src/domains/hats/hats.routes.ts', says: `src/domains/hats/hats.routes.ts:2 ${says}` },
    ])
    expect(find(at('src/domains/hats/hats.routes.ts', `// ${line}`))).toEqual([])
  })
})

describe('a refusal that is caught', () => {
  test('is nowhere', () => expectOnlyExceptions('a refusal that is caught', findSwallowedFaults(sources)))

  test('is named, unless it is thrown again', () => {
    const given = (line: string) =>
      at('src/domains/hats/hats.actions.ts', '  try {', '    wear(hat)', '  } catch (error) {', line, '  }')
    expect(findSwallowedFaults(given('    tx.log(error)'))).toHaveLength(1)
    expect(findSwallowedFaults(given('    throw hatFaults.worn()'))).toEqual([])
  })
})

describe('a statement for each row', () => {
  test('is nowhere', () => expectOnlyExceptions('a statement for each element', findStatementsInLoops(sources)))

  test('is named; what a loop goes through may be asked for', () => {
    const given = (...lines: string[]) => [
      ...at('src/domains/hats/hats.store.ts', "export const findHat = find((from) => from('hats'))"),
      ...at('src/domains/hats/hats.actions.ts', ...lines),
    ]
    const says =
      'src/domains/hats/hats.actions.ts:1 asks findHat once for each element: ask once for all, with a statement that takes their ids'
    const found = (...lines: string[]) => findStatementsInLoops(given(...lines)).map(({ says }) => says)
    expect(found('await Promise.all(ids.map((id) => findHat(tx, { id })))')).toEqual([says])
    expect(found('for (const id of ids) {', '  await findHat(tx, { id })', '}')).toEqual([says])
    expect(found('for (const id of ids) await findHat(tx, { id })', '')).toEqual([says])
    expect(found('for (const hat of await findHat(tx, {})) {', '  wear(hat)', '}')).toEqual([])
    const [store] = given('')
    const job = at('src/domains/hats/cleaning.ts', 'for (const id of due) {', '  await findHat(tx, { id })', '}')
    expect(findStatementsInLoops([store!, ...job])[0]!.says).toContain('asks findHat once for each element')
  })
})
