import type pg from 'pg'
import { withClient } from '../connections/with-client.ts'
import { SetupProblem } from './setup-problem.ts'

/** The advice for a pooler that was found but not declared. */
export const POOLER = {
  problem: 'leads to a pooler in transaction mode, such as PgBouncer, which the configuration does not say',
  advice: 'set DATABASE_POOLER=true, and MIGRATION_DATABASE_URL to the database itself',
}

/** @throws SetupProblem if a URL leads to a pooler that shares sessions */
export async function refusePooler(url: string): Promise<void> {
  if (await sharesSessions(url)) throw new SetupProblem(`DATABASE_URL ${POOLER.problem}: ${POOLER.advice}`)
}

/**
 * Whether connections to the URL share sessions of PostgreSQL, as through a pooler in transaction mode: two open
 * connections get the same session, or one of them gets two.
 */
export async function sharesSessions(url: string): Promise<boolean> {
  const sessionOf = async (client: pg.Client) => (await client.query('select pg_backend_pid() as pid')).rows[0].pid
  return withClient(url, 'atrium-arrival', (one) =>
    withClient(url, 'atrium-arrival', async (other) => {
      const first = await sessionOf(one)
      return (await sessionOf(other)) === first || (await sessionOf(one)) !== first
    }),
  )
}
