import { excusedFrom } from './exceptions.ts'

/**
 * Columns that hold a hash of a secret, or what one is derived from. Sealed columns are declared by their domains. A column
 * whose name sounds like a secret and that is in neither list fails a test.
 */
export const HASHES = Object.keys(excusedFrom('a column that holds a hash of a secret'))
/** A tenant's people keep their passwords when it moves, so these hashes leave with its data. */
export const TAKEN_ALONG = ['users.password_hash']
