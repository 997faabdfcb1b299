import { faults } from './fault.ts'

/** What a client says about the version it has read of what it wants to change. */
export interface Expected {
  version?: number | undefined
  /** the versions that If-Match lets through; undefined where it is not sent, or lets every one through */
  ifMatch?: readonly number[] | undefined
}

/** @throws PRECONDITION_FAILED */
export function assertMatch(actual: number, ifMatch: Expected['ifMatch']): void {
  if (!ifMatch || ifMatch.includes(actual)) return
  throw faults.preconditionFailed([
    { path: 'headers.if-match', expected: ifMatch, actual, message: 'read it and try again' },
  ])
}
