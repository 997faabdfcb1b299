import { sql } from 'kysely'
import { cold } from '../sql/compile.ts'
import { write } from '../sql/verbs.ts'

/**
 * Ends every secret of a person: what the schema calls one, with or without the code of its plug-in. The caller holds the
 * lock on the person.
 */
export const endSecretsOf = write(
  (_, p: { userId: number }) => cold.selectNoFrom(sql`end_secrets(${p.userId})`.as('ended')),
  { announces: (p) => ({ user: p.userId }) },
)
