import { hash } from 'node:crypto'
import type { LoggedOperation } from '#atrium/audit'

/** What the first row of a tenant is linked to. */
export const BEGINNING = '0'.repeat(64)

/**
 * What a link is a hash of, in the order of the keys. Verifiers outside this service rely on it: a column that the audit
 * gets later must not be added, or older rows would no longer fit.
 */
const LINKED = [
  'actorKind',
  'createdAt',
  'duration',
  'id',
  'ip',
  'keyPrefix',
  'method',
  'path',
  'requestId',
  'route',
  'status',
  'tenantId',
  'userAgent',
  'userId',
  'username',
] as const satisfies readonly (keyof LoggedOperation)[]

/** The canonical JSON of a row (RFC 8785): sorted keys, no white space, and the time with milliseconds, in UTC. */
export function canonical(row: LoggedOperation): string {
  return JSON.stringify(row, LINKED as unknown as string[])
}

/**
 * The link of a row: SHA-256, in hexadecimal digits, of the link before it and the row.
 * @param before hexadecimal digits
 */
export function linkOf(before: string, row: LoggedOperation): string {
  return hash('sha256', before + canonical(row))
}

/** A row of the audit and its link, either of which may be missing. */
export interface Linked {
  id: number
  row: LoggedOperation | undefined
  /** hexadecimal digits */
  chain: string | undefined
}

/** A place in a chain: the last link that fits, or one of its ends. */
export interface Place {
  id: number
  chain: string
}

/** The first row that is not as it was when it was linked. */
export interface Break {
  id: number
  what: string
}

/**
 * Checks the next rows of a chain, in the order of their ids.
 * @returns the last place that fits, how many rows do, and the first break
 */
export function checkLinks(from: Place, linked: readonly Linked[]): { at: Place; rows: number; broken?: Break } {
  let at = from
  for (const [rows, { id, row, chain }] of linked.entries()) {
    if (row === undefined) return { at, rows, broken: { id, what: 'is missing' } }
    if (chain === undefined)
      return { at, rows, broken: { id, what: 'was inserted later: it has no link, and rows after it have' } }
    if (linkOf(at.chain, row) !== chain) {
      const what = `does not fit: it was changed, or rows between ${at.id} and ${id} were removed`
      return { at, rows, broken: { id, what } }
    }
    at = { id, chain }
  }
  return { at, rows: linked.length }
}

/** Checks that a chain ends where it should. */
export function checkEnd(found: Place, end: Place): Break | undefined {
  if (found.id < end.id) return { id: end.id, what: `is missing: after ${found.id} the chain goes on to ${end.id}` }
  return found.chain === end.chain ? undefined : { id: end.id, what: 'does not have the link that the chain ends with' }
}
