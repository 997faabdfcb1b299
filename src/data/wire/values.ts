import type { FieldDef } from 'pg'
import { closingQuote } from '../../kernel/json-text.ts'
import type { Row } from './flight.ts'

/**
 * How values cross the wire, as text both ways. bigint → number (ids are identity columns, far below 2^53), instants →
 * ISO text without a `Date` in between (making and formatting `Date`s costs a tenth of a list's throughput), date → its
 * own text, arrays of bigint → numbers.
 */
type Parse = (text: string) => unknown

const asText: Parse = (text) => text
/** By the OID of the type of a column. */
const parsers = new Map<number, Parse>([
  [16, (text) => text === 't'],
  [20, Number],
  [21, Number],
  [23, Number],
  [700, Number],
  [701, Number],
  [1700, Number],
  [114, JSON.parse],
  [3802, JSON.parse],
  [1082, day],
  [1184, isoInstant],
  [1016, numbers],
  [1007, numbers],
  [1009, texts],
])

/** PostgreSQL knows instants and days that ISO 8601 has no four digits for; they are read as the nearest that it has. */
const FIRST = ['0001-01-01', 'T00:00:00.000Z'] as const
const LAST = ['9999-12-31', 'T23:59:59.999Z'] as const

/** `2026-11-21 08:51:00.12+00` → `2026-11-21T08:51:00.120Z`. Unusual values take the slow path. */
export function isoInstant(text: string): string {
  const end = text.length - 3
  if (text.charCodeAt(10) !== 32 || !text.endsWith('+00') || end < 19 || end > 23)
    return beyond(text)?.join('') ?? new Date(text).toISOString()
  const millis = end > 20 ? text.slice(20, end).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`
}

function day(text: string): string {
  return beyond(text)?.[0] ?? text
}

/** @see https://www.postgresql.org/docs/18/datatype-datetime.html */
function beyond(text: string) {
  if (text === '-infinity' || text.endsWith(' BC')) return FIRST
  return text === 'infinity' || /^\d{5}/.test(text) ? LAST : undefined
}

function numbers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)
}

const QUOTE = 0x22

/**
 * An array of texts. The parser of pg assembles each element letter by letter, which for the paragraphs of an article
 * takes a hundred times as long as all other work on them.
 * @see https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
 */
export function texts(text: string): (string | null)[] {
  const found: (string | null)[] = []
  const end = text.length - 1
  for (let at = 1; at < end; ) {
    if (text.charCodeAt(at) === QUOTE) {
      const close = closingQuote(text, at)
      const inner = text.slice(at + 1, close)
      found.push(inner.includes('\\') ? inner.replace(/\\(.)/gs, '$1') : inner)
      at = close + 2
    } else {
      const comma = text.indexOf(',', at)
      const bare = text.slice(at, comma === -1 ? end : comma)
      found.push(bare === 'NULL' ? null : bare)
      at += bare.length + 1
    }
  }
  return found
}

/** A parameter as PostgreSQL's text form. Plain objects become JSON; arrays become array literals. */
export function encode(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (typeof value === 'object') {
    if (Array.isArray(value)) return arrayLiteral(value)
    if (value instanceof Date) return value.toISOString()
    return JSON.stringify(value)
  }
  return String(value)
}

function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(arrayElement).join(',')}}`
}

function arrayElement(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number') return String(value)
  return `"${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** The columns of a statement: the name of each in a row, and the parser of its text. */
export type Layout = ReadonlyArray<{ name: string; parse: Parse }>

/** The layout that the server has described. */
export function layoutOf(fields: readonly FieldDef[]): Layout {
  return fields.map(({ name, dataTypeID }) => ({ name: camelCase(name), parse: parsers.get(dataTypeID) ?? asText }))
}

/** One row of the wire as an object. */
export function readRow(layout: Layout, fields: (string | null)[]): Row {
  const row: Row = {}
  for (let at = 0; at < layout.length; at++) {
    const column = layout[at]!
    const text = fields[at]!
    row[column.name] = text === null ? null : column.parse(text)
  }
  return row
}

/** `INSERT 0 3`, `UPDATE 3`, `DELETE 3`: the last word is the count. */
export function affectedBy(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
