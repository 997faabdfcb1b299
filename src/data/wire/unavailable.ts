/** The database or another dependency is away, overloaded or too slow. Answered as 503, never as 500. */
export class Unavailable extends Error {
  override name = 'Unavailable'
}

/** The connection was lost while a flight was pending: it may have arrived or not. */
export class ConnectionLost extends Unavailable {
  override name = 'LostInFlight'
}

/** The connection was lost while a commit was on its way: the command may or may not have been saved. */
export class OutcomeUnknown extends Unavailable {
  override name = 'OutcomeUnknown'
}
