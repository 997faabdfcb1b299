/** The database or another dependency is away, overloaded or too slow. Answered as 503, never as 500. */
export class Unavailable extends Error {
  override name = 'Unavailable'
}

/** The connection was lost while a flight was pending: it may or may not have arrived. */
export class ConnectionLost extends Unavailable {
  override name = 'LostInFlight'
}

/** The connection was lost during a commit: the command may or may not have been saved. */
export class OutcomeUnknown extends Unavailable {
  override name = 'OutcomeUnknown'
}

/** SQLSTATE of a change that is refused by a standby, or by a server that was made read-only. */
export const READ_ONLY = '25006'

/** The server answers, but accepts no changes. */
export class ReadOnlyServer extends Unavailable {
  override name = 'ReadOnlyServer'
  readonly code = READ_ONLY
  constructor() {
    super('the database server is read-only')
  }
}

/** SQLSTATE classes that mean "not now": connection, resources, operator intervention, lock and serialization. */
const NOT_NOW = /^(08|53|57|55P03|40001|40P01|25006|25P03)/
/** Resources that this machine has run out of. */
const USED_UP = new Set(['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'ENOMEM', 'EROFS', 'EIO'])

/** True if a later try may succeed. */
export function isUnavailable(error: Error & { code?: string | undefined }): boolean {
  return error instanceof Unavailable || NOT_NOW.test(error.code ?? '') || USED_UP.has(error.code ?? '')
}
