import { createHash } from 'node:crypto'
import { faults } from './fault.ts'

/** What a client says about the version it has read of what it wants to change. */
export interface Expected {
  version?: number | undefined
  /** the versions that If-Match lets through; undefined where it is not sent, or lets every one through */
  ifMatch?: readonly string[] | undefined
}

/** @param actual the version, or the fingerprint of what has none @throws PRECONDITION_FAILED */
export function assertMatch(actual: number | string, ifMatch: Expected['ifMatch']): void {
  if (!ifMatch || ifMatch.includes(String(actual))) return
  const expected = typeof actual === 'string' ? ifMatch : ifMatch.filter((tag) => /^\d{1,10}$/.test(tag)).map(Number)
  throw faults.preconditionFailed([{ path: 'headers.if-match', expected, actual, message: 'read it and try again' }])
}

/** The same of what is changed seldom and counts no versions: a form is stale where what it shows has changed. */
export function assertUnchanged(state: object, ifMatch: Expected['ifMatch']): void {
  if (ifMatch) assertMatch(fingerprintOf(state), ifMatch)
}

/** Stands for the values of some fields, whatever their order. */
export function fingerprintOf(state: object): string {
  const fields = Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 22)
}
