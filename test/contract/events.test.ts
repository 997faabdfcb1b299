import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { event } from '../../src/kernel/words/events.ts'
import { domains, expectGolden, partOf } from '../support/domains.ts'
import { listWritten } from '../support/events.ts'
import { excusedFrom, expectOnlyExceptions } from '../support/exceptions.ts'
import { expectNone } from '../support/expect-none.ts'
import { findAddressesInExamples, findAddressesRecorded } from '../support/mistakes/events.ts'
import { readDomains, readSources } from '../support/source.ts'

/** Tables whose changes are no news, with the reason. */
const SILENT = excusedFrom('a table whose changes are no news for other systems')

const written = listWritten(readSources())

test('every command that changes something records what has happened', () => {
  const mute = written
    .map(({ command, tables, events }) => ({ command, events, tables: tables.filter((table) => !(table in SILENT)) }))
    .filter(({ tables, events }) => tables.length > 0 && events.length === 0)
  expectOnlyExceptions(
    'a change without an event',
    mute.map(({ command, tables }) => ({
      place: command,
      says: `${command} writes ${tables.join(', ')} and records no event: call tx.record({ event, subject, data }), whose type its domain declares`,
    })),
  )
})

test('the tables that are no news are written by some command', () => {
  const tables = new Set(written.flatMap((each) => each.tables))
  expect(Object.keys(SILENT).filter((table) => !tables.has(table))).toEqual([])
})

test('what each command records is what was reviewed', async () => {
  await expectGolden({ file: 'events.txt', means: 'A command writes another table, or records another event' }, (of) =>
    partOf(
      of,
      written.map(({ command, tables, events }) => [
        command.split('.')[0]!,
        `${command}: ${tables.join(', ')} → ${events.join(', ') || 'nothing'}`,
      ]),
    ),
  )
})

test('a command that records nothing is named, however far its statement is', () => {
  const source = (path: string, ...lines: string[]) => ({ path: `src/domains/hats/${path}`, text: lines.join('\n') })
  const store = source(
    'hats.store.ts',
    "export const saveHat = write(({ update }, p: object) => update('hats').set(p))",
  )
  const routes = source(
    'hats.routes.ts',
    "  operationId: 'washHat',",
    '  (req) => req.transact((tx) => wash(tx, req.params.id)),',
  )
  const actions = (...lines: string[]) =>
    source('hats.actions.ts', 'export async function wash(tx: Tx) {', '  saveHat(tx, { clean: true })', ...lines, '}')

  expect(listWritten([store, routes, actions()])).toEqual([{ command: 'hats.washHat', tables: ['hats'], events: [] }])
  expect(listWritten([store, routes, actions("  tx.record({ event: 'hat.washed', subject: 1, data: {} })")])).toEqual([
    { command: 'hats.washHat', tables: ['hats'], events: ['hat.washed'] },
  ])
})

const declared = domains.flatMap(({ name, events = {} }) =>
  Object.entries(events).map(([type, event]) => ({ name, type, ...event })),
)

test('the example of each event fits its schema, which has no field that the example lacks', () => {
  expectNone(
    declared.flatMap(({ name, type, data, example }) => {
      const { error } = data.strict().safeParse(example)
      if (error) return [`${name} declares ${type} with an example that does not fit: ${error.message}`]
      const lacking = Object.keys(data.shape).filter((field) => !Object.hasOwn(example, field))
      return lacking.map((field) => `${name} declares ${type} with an example that lacks ${field}: add it`)
    }),
  )
})

test('an event is named after what it happens to and what happened', () => {
  expectNone(
    declared
      .filter(({ type }) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(type))
      .map(({ type }) => `${type} is not of the form thing.happened`),
  )
  expect(declared.length).toBeGreaterThan(30)
})

describe('an address in an event', () => {
  const RULE = 'an address in an event'
  const secret = 'https://ada:secret@hats.example.com/hooks/7f3a'

  test('is nowhere', () =>
    expectOnlyExceptions(RULE, [...findAddressesInExamples(domains), ...findAddressesRecorded(readDomains())]))

  test('is named where an event shows one', () => {
    const Place = z.object({ host: z.string() })
    const hats = (example: z.input<typeof Place>) => [
      { name: 'hats', events: { 'hat.sent': event('A hat was sent.', Place, example) } },
    ]
    expect(findAddressesInExamples(hats({ host: secret })).map(({ says }) => says)).toEqual([
      'hats declares hat.sent with an address in its host, which may hold a secret: record its host only: new URL(url).host',
    ])
    expect(findAddressesInExamples(hats({ host: 'hats.example.com' }))).toEqual([])
  })

  test('is named where a command records one', () => {
    const record = (data: string) =>
      findAddressesRecorded([
        { path: 'hats.actions.ts', text: `  tx.record({ event: 'hat.sent', subject: 1, data: ${data} })` },
      ]).map(({ says }) => says)
    const says = (name: string) =>
      `hats.actions.ts:1 records ${name}, an address, which may hold a secret: record its host only: new URL(url).host`
    expect(record('{ host: hat.url }')).toEqual([says('url')])
    expect(record('{ id, callbackUrl }')).toEqual([says('callbackUrl')])
    for (const right of ['{ host: hostOf(hat.url) }', '{ host: new URL(hat.url).host }', '{ host, id }'])
      expect(record(right)).toEqual([])
  })
})
