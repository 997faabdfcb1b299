import { test } from 'vitest'
import type { Prepared } from '../../src/data/wire/flight.ts'
import { apart, expectGolden } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { snake } from '../support/schema-text.ts'
import { listSent, type Sent, stores } from '../support/statements.ts'

/**
 * A table belongs to the domain whose store writes it. Another domain asks that store for rows, or builds on a part that
 * it lends. `tables.txt` is the list that was reviewed.
 */
interface Told {
  domain: string
  statement: string
  writes: string[]
  reads: string[]
  /** what of it comes through parts */
  borrowed: ReadonlySet<string>
}

const statements = (await listSent()).map(touchedBySent)
const parts = Object.entries(stores).flatMap(([store, exported]) =>
  Object.entries(exported)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, part]) =>
      typeof part === 'function' && 'tables' in part
        ? [{ domain: domainOf(store), name: `${store}.${name}`, tables: (part.tables as string[]).map(snake) }]
        : [],
    ),
)
/** What data keeps for all domains. */
const DATA = [
  'activities',
  'idempotency_keys',
  'outbox',
  'event_counters',
  'schema_migrations',
  'unnumbered_events',
  'visitor_keys',
]

/** The domain of each table: the one with the most statements that write it. */
const owners = new Map(DATA.map((table) => [table, 'data']))
const written = Map.groupBy(
  statements.flatMap(({ domain, writes }) => writes.map((table) => ({ table, domain }))),
  ({ table }) => table,
)
for (const [table, writes] of written)
  if (!owners.has(table)) {
    const byDomain = [...Map.groupBy(writes, ({ domain }) => domain)].sort(([, a], [, b]) => b.length - a.length)
    owners.set(table, byDomain[0]![0])
  }

test('a table is written by the store of its own domain alone', () => {
  const foreign = statements.flatMap(({ domain, statement, writes }) =>
    writes
      .filter((table) => ownerOf(table) !== domain)
      .map(
        (table) =>
          `${statement} writes ${table}, which belongs to ${ownerOf(table)}: move the statement into that store and call it from here`,
      ),
  )
  expectNone(foreign)
})

test('a store reads the tables of its own domain, and those of others through the parts that these lend', () => {
  const foreign = statements.flatMap(({ domain, statement, reads, borrowed }) =>
    reads
      .filter((table) => ownerOf(table) !== domain && !borrowed.has(table))
      .map(
        (table) =>
          `${statement} reads ${table}, which belongs to ${ownerOf(table)}: ask a statement of its store, or build on a part that it lends`,
      ),
  )
  expectNone(foreign)
})

test('a part that a domain lends reads its own tables', () => {
  const foreign = parts.flatMap(({ domain, name, tables }) =>
    tables
      .filter((table) => ownerOf(table) !== domain)
      .map(
        (table) =>
          `${name} lends ${table}, which belongs to ${ownerOf(table)}: lend it in the store of ${ownerOf(table)}`,
      ),
  )
  expectNone(foreign)
})

test('who owns which table, and what others read it through, is what was reviewed', async () => {
  const domains = [...new Set(Object.keys(stores).map(domainOf))].sort()
  const fromOutside = new Set(apart.map(({ name }) => name))
  const tell = (domain: string) => {
    const owned = [...owners].filter(([, owner]) => owner === domain).map(([table]) => table)
    const lent = parts
      .filter((part) => part.domain === domain)
      .map(({ name, tables }) => `  ${name}: ${tables.join(', ')}`)
    return [`${domain}: ${owned.sort().join(', ') || 'no table'}`, ...lent].join('\n')
  }
  await expectGolden({ file: 'tables.txt', means: 'A domain owns another table or lends another part' }, (of) => {
    const shown = domains.filter((domain) => (of === undefined ? !fromOutside.has(domain) : domain === of))
    return `${shown.map(tell).join('\n\n')}\n`
  })
})

function touchedBySent({ statement: { name }, prepared }: Sent): Told {
  return {
    domain: domainOf(name),
    statement: name,
    ...touchedBy(prepared),
    borrowed: new Set([...(prepared.lent ?? [])].map(snake)),
  }
}

/** Read from the text and not from the builder's tree, so that SQL in a template counts as well. */
function touchedBy({ text }: Prepared): { writes: string[]; reads: string[] } {
  const defined = new Set([...text.matchAll(/(?:with|,) "?(\w+)"? as \(/g)].map(([, name]) => name!))
  const named = (pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].filter((name) => !defined.has(name))
  return {
    writes: named(/\b(?:insert into|(?<!for |no key |do )update|delete from) "?(?!set\b|of\b)(\w+)/g),
    reads: named(/\b(?<!delete )(?:from|join|using) "?(?!unnest\b|lateral\b)([a-z_]+)"?(?!\()/g),
  }
}

function ownerOf(table: string): string {
  return owners.get(table) ?? 'data'
}

function domainOf(store: string): string {
  return store.split(/[/.]/)[0]!
}
