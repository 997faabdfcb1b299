import type { Detail } from '#atrium'
import { scimFaults } from '../scim.rules.ts'
import { booleanOf, PARTS_OF_ENTRY } from './resources.rules.ts'

type Value = string | boolean | number

const LONGEST = 1000
/** `(userName eq "ada") and`, with the parentheses around it. The value is one of JSON. */
const COMPARISON =
  /([\s(]*)([A-Za-z$][\w$.:-]*)\s+eq\s+("(?:[^"\\]|\\.)*"|[\w.+-]+)([\s)]*)((?<=[\s)])and(?=[\s(])|$)/giy

/**
 * Reads a filter as conditions that must all hold: `userName eq "ada" and active eq true`. More than that no index could
 * serve, and directories ask no more.
 * @param known the attributes that may be compared, with the type of their values
 * @returns the value of each attribute, by its name as `known` writes it; undefined if nothing can match
 * @throws INVALID_FILTER
 * @see RFC 7644, section 3.4.2.2
 */
export function conditionsOf<const Known extends Readonly<Record<string, 'string' | 'boolean'>>>(
  filter: string | undefined,
  known: Known,
): Partial<Record<keyof Known, Value>> | undefined {
  const conditions: Partial<Record<keyof Known, Value>> = {}
  const refusal = () => scimFaults.invalidFilter([onlyThese('query.filter', Object.keys(known))])
  for (const [attribute, given] of filter === undefined ? [] : comparisonsIn(filter, refusal)) {
    const name = Object.keys(known).find((one) => one.toLowerCase() === plain(attribute).toLowerCase())
    const value = name && asType(given, known[name]!)
    if (name === undefined || value === undefined) throw refusal()
    if (conditions[name as keyof Known] !== undefined && conditions[name as keyof Known] !== value) return undefined
    conditions[name as keyof Known] = value as Value
  }
  return conditions
}

/** The comparisons of the filter in brackets of a path, which select entries of a list: `type eq "work"`. @throws INVALID_PATH */
export function selectionOf(filter: string): Record<string, Value> {
  const refusal = () => scimFaults.invalidPath([onlyThese('body.Operations', PARTS_OF_ENTRY)])
  return Object.fromEntries(
    comparisonsIn(filter, refusal).map(([attribute, value]) => [attribute.toLowerCase(), value]),
  )
}

function onlyThese(path: string, attributes: readonly string[]): Detail {
  return { path, attributes, message: 'only {attributes}, compared by eq and joined by and' }
}

function comparisonsIn(filter: string, refusal: () => Error): [attribute: string, value: Value][] {
  if (filter.length > LONGEST) throw refusal()
  const found: [string, Value][] = []
  let [length, depth, joint] = [0, 0, 'and']
  for (const [text, opened, attribute, value, closed, next] of filter.matchAll(COMPARISON)) {
    found.push([attribute!, literalOf(value!, refusal)])
    depth += count(opened!, '(') - count(closed!, ')')
    if (depth < 0) throw refusal()
    ;[length, joint] = [length + text.length, next!]
  }
  if (length < filter.length || depth > 0 || joint !== '') throw refusal()
  return found
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1
}

function literalOf(text: string, refusal: () => Error): Value {
  try {
    const value = JSON.parse(text)
    // No text that is kept has a NUL, and PostgreSQL does not compare with one.
    if (value !== null && !String(value).includes('\0')) return value
  } catch {
    // What is no JSON is refused as null is.
  }
  throw refusal()
}

/** Without the name of its schema. */
function plain(attribute: string): string {
  return attribute.replace(/^urn:.*:/i, '')
}

function asType(given: Value, type: 'string' | 'boolean'): Value | undefined {
  const value = type === 'boolean' ? booleanOf(given) : given
  return typeof value === type ? (value as Value) : undefined
}
