import { closingOf, isOfDomain, type Source } from './source.ts'

/** A command, the tables that it writes, and the events that it can leave. */
export interface Written {
  command: string
  tables: string[]
  events: string[]
}

const STATEMENT =
  /^(?:export )?const (\w+) = (?:directory\s*\.)?(?:write|writeReturning|updateIfUnchanged|removeOldest)\b/
const TABLE = /\b(?:insert|update|remove|insertInto|updateTable|deleteFrom|removeOldest)\(\s*'(\w+)'/g
const NAMED = /^(?:export )?(?:async )?(?:function|const) (\w+)/
const EVENT = /\bevent(?: =|:) ([^\n]*)/g
const TYPE = /'(\w+\.\w+)'|`(\w+\.)\$/g

/**
 * What each command of the domains writes and leaves, found by following the names of the functions that it calls; not
 * through ports, whose providers record for themselves.
 */
export function listWritten(sources: readonly Source[]): Written[] {
  const inDomains = sources.filter(isOfDomain)
  const parts = new Map<string, Part[]>()
  for (const { path, text } of inDomains)
    for (const declared of topLevelParts(text)) {
      const name = NAMED.exec(declared)?.[1]
      if (!name) continue
      const part = { domain: domainOf(path), text: declared, isStatement: STATEMENT.test(declared) }
      parts.set(name, [...(parts.get(name) ?? []), part])
    }

  /** The name in the same domain, or else one that another exports. */
  function follow(text: string, domain: string, reached = new Set<Part>()) {
    for (const [, name] of text.matchAll(/(?<![.\w])(\w+)\(/g)) {
      const all = parts.get(name!) ?? []
      const part = all.find((each) => each.domain === domain) ?? all.find((each) => each.text.startsWith('export '))
      if (!part || reached.has(part)) continue
      reached.add(part)
      if (!part.isStatement) follow(part.text, part.domain, reached)
    }
    return reached
  }

  const found = inDomains.flatMap(({ path, text }) =>
    transactionsIn(text).map(({ name, body }) => {
      const reached = [...follow(body, domainOf(path))]
      const tables = reached.filter(({ isStatement }) => isStatement).flatMap((part) => tablesIn(part.text))
      const events = [body, ...reached.map((part) => part.text)].flatMap(eventsIn)
      return { command: `${domainOf(path)}.${name}`, tables, events }
    }),
  )
  return [...Map.groupBy(found, ({ command }) => command)]
    .map(([command, all]) => ({
      command,
      tables: sorted(all.flatMap(({ tables }) => tables)),
      events: sorted(all.flatMap(({ events }) => events)),
    }))
    .filter(({ tables }) => tables.length > 0)
    .sort((a, b) => (a.command < b.command ? -1 : 1))
}

/** A statement that is built elsewhere shows a question mark. */
function tablesIn(statement: string): string[] {
  const tables = namesIn(statement, TABLE)
  return tables.length > 0 ? tables : ['?']
}

interface Part {
  domain: string
  text: string
  /** it changes rows */
  isStatement: boolean
}

function domainOf(path: string): string {
  return path.split('/')[2]!
}

/** A type that is put together shows its beginning: `approval.*`. */
function eventsIn(text: string): string[] {
  return [...text.matchAll(EVENT)].flatMap(([, value]) =>
    [...value!.matchAll(TYPE)].map(([, whole, start]) => whole ?? `${start}*`),
  )
}

/** The commands of a file: what is handed to a transaction, named after the operation or the function that it is in. */
function transactionsIn(text: string): { name: string; body: string }[] {
  return [...text.matchAll(/\b(?:transact|transactAs|transactAsPerson)(?:<[^>]*>)?\(/g)].map(({ index }) => {
    const before = text.slice(0, index)
    const names = [
      ...before.matchAll(/operationId: '(\w+)'|^ *(?:export )?(?:async )?function (\w+)|^export const (\w+): Job\b/gm),
    ]
    const [, operation, called, job] = names.at(-1) ?? []
    const open = text.indexOf('(', index)
    return { name: operation ?? called ?? job ?? 'main', body: text.slice(open, closingOf(text, open) + 1) }
  })
}

/** Declarations that begin at the margin. */
function topLevelParts(text: string): string[] {
  return text.split(/^(?=(?:export |async |function |const |interface |type |import |\/\*\*))/m)
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name!)
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}
