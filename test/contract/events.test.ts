import { expect, test } from 'vitest'
import { domains, expectGolden, partOf } from '../support/domains.ts'
import { listWritten } from '../support/events.ts'
import { excusedFrom, expectOnlyExceptions } from '../support/exceptions.ts'
import { expectNone } from '../support/expect-none.ts'
import { readSources } from '../support/source.ts'

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
