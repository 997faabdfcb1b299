/** Counts since the start; each only grows. */
export interface Tally {
  flights: number
  /** flights and transactions for which no connection was free in time */
  refused: number
  /** events that could not be delivered after their commit, and were left to the next sweep */
  undelivered: number
}
