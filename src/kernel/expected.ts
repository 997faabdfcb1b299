import { createHash } from 'node:crypto'
import { type Detail, type Fault, faults } from './fault.ts'
import type { PlainSentence } from './words/sentence.ts'

/** The version that the client has read of what it wants to change. */
export interface Expected {
  version?: number | undefined
  /** the versions that If-Match accepts; undefined if it is not sent, or accepts every version */
  ifMatch?: readonly string[] | undefined
}

/** @param actual the version, or the fingerprint of what has no version @throws PRECONDITION_FAILED */
export function assertMatch(actual: number | string, ifMatch: Expected['ifMatch']): void {
  if (!ifMatch || ifMatch.includes(String(actual))) return
  const expected = typeof actual === 'string' ? ifMatch : ifMatch.filter((tag) => /^\d{1,10}$/.test(tag)).map(Number)
  throw faults.preconditionFailed([{ path: 'headers.if-match', expected, actual, message: 'read it and try again' }])
}

/**
 * The client has read this version of what it changes.
 * @param changed the fault if it names another version
 * @throws PRECONDITION_FAILED, and the fault
 */
export function assertVersion(
  actual: number,
  { version: expected, ifMatch }: Expected,
  changed: (details: Detail[]) => Fault,
  message: PlainSentence = 'read it and try again',
): void {
  assertMatch(actual, ifMatch)
  if (expected !== undefined && expected !== actual) throw changed([{ path: 'version', expected, actual, message }])
}

/** The same as assertMatch for things that change seldom and have no version: a form is stale if what it shows has changed. */
export function assertUnchanged(state: object, ifMatch: Expected['ifMatch']): void {
  if (ifMatch) assertMatch(fingerprintOf(state), ifMatch)
}

/** Identifies the values of some fields, whatever their order. */
export function fingerprintOf(state: object): string {
  const fields = Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 22)
}
