import pg from 'pg'

/** ms that the start and the doctor wait for a connection, and for the answer to a question. */
export const ARRIVAL_MS = 30_000

/**
 * Looks at a database on a connection of its own. Rejects with the driver's error if that is away.
 * @param name what PostgreSQL shows of the connection
 * @param timeout ms for the connection, and for each answer; 0 for as long as it takes
 */
export async function withClient<T>(
  url: string,
  name: string,
  use: (client: pg.Client) => Promise<T>,
  timeout = ARRIVAL_MS,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
  })
  client.on('error', () => {})
  await client.connect()
  return use(client).finally(() => client.end())
}
