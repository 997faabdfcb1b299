import { type Compare, type Filter, parse } from 'scim2-parse-filter'
import type { Detail } from '#atrium'
import { scimFaults } from '../scim.rules.ts'
import { PARTS_OF_ENTRY } from './resources.rules.ts'

type Value = string | boolean | number

/** Longer filters are not parsed: the parser calls itself for each parenthesis. */
const LONGEST = 1000

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
  for (const { attrPath, compValue } of filter === undefined ? [] : comparisonsIn(filter, refusal)) {
    const name = Object.keys(known).find((one) => one.toLowerCase() === plain(attrPath).toLowerCase())
    const value = name && asType(compValue, known[name]!)
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
    comparisonsIn(filter, refusal).map(({ attrPath, compValue }) => [attrPath.toLowerCase(), compValue as Value]),
  )
}

function onlyThese(path: string, attributes: readonly string[]): Detail {
  return { path, attributes, message: 'only {attributes}, compared by eq and joined by and' }
}

function comparisonsIn(filter: string, refusal: () => Error): Compare[] {
  if (filter.length > LONGEST) throw refusal()
  return flatten(parsed(filter, refusal), refusal)
}

function parsed(filter: string, refusal: () => Error): Filter {
  try {
    return parse(filter)
  } catch {
    throw refusal()
  }
}

function flatten(filter: Filter, refusal: () => Error): Compare[] {
  if (filter.op === 'and') return filter.filters.flatMap((one) => flatten(one, refusal))
  if (filter.op !== 'eq' || !('compValue' in filter) || filter.compValue === null) throw refusal()
  return [filter]
}

/** Without the name of its schema. */
function plain(attribute: string): string {
  return attribute.replace(/^urn:.*:/i, '')
}

/** Some directories write booleans as text. */
function asType(value: unknown, type: 'string' | 'boolean'): Value | undefined {
  if (type === 'string') return typeof value === 'string' ? value : undefined
  if (typeof value === 'boolean') return value
  return typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : undefined
}
