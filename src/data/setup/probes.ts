import pg from 'pg'

/**
 * Writes 4 MB into a table that is dropped with its transaction. Rejects with the driver's error if the database is
 * read-only, or its disk is full.
 */
export async function probeWrites(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('begin')
    await client.query('create temporary table atrium_probe (filler text) on commit drop')
    await client.query(`insert into atrium_probe select repeat('x', 1000) from generate_series(1, 4000)`)
    await client.query('rollback')
  })
}

/** The tenant that the first start makes: where the system administrator signs in. */
export interface FirstTenant {
  code: string
  status: 'active' | 'disabled'
  /** ISO 8601, if it has expired */
  expiredAt: string | null
  registration: 'open' | 'closed'
}

/** @param role that may read the tenants. @returns undefined before the first start */
export async function findFirstTenant(url: string, role: string): Promise<FirstTenant | undefined> {
  return withClient(url, async (client) => {
    await client.query('begin read only')
    await client.query(`select set_config('role', $1, true)`, [role])
    const { rows } = await client.query<FirstTenant>(
      `select code, status, registration, case when expired_at <= now() then to_json(expired_at) #>> '{}' end as "expiredAt"
         from tenants where id = 1`,
    )
    return rows[0]
  })
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'atrium-probe',
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
  })
  client.on('error', () => {})
  await client.connect()
  return use(client).finally(() => client.end())
}
