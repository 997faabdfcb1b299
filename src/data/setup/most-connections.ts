import { withClient } from '../connections/with-client.ts'

/**
 * How many connections a role may open, without those reserved for superusers: of `me`, a role, and `d`, a database.
 */
export const MOST_CONNECTIONS = `
  least(case when me.rolsuper then current_setting('max_connections')::int
             else current_setting('max_connections')::int
                - current_setting('superuser_reserved_connections')::int
                - coalesce(current_setting('reserved_connections', true)::int, 0) end,
        nullif(d.datconnlimit, -1), nullif(me.rolconnlimit, -1))`

/** How many connections the role of the URL may open. */
export async function mostConnections(url: string): Promise<number> {
  return withClient(url, 'atrium-arrival', async (client) => {
    const { rows } = await client.query(`
      select ${MOST_CONNECTIONS} as most from pg_roles me, pg_database d
       where me.rolname = current_user and d.datname = current_database()`)
    return rows[0].most
  })
}
