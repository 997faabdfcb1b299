import pg from 'pg'
import type { Log } from '../../kernel/log.ts'
import { Unavailable } from '../wire/unavailable.ts'

/** A long job can wait longer for its connection than a request for one of the pool. */
const CONNECT_MS = 10_000

/** A connection that belongs to one long job and has no limits of time. Rejects with Unavailable. */
export async function connectAlone(url: string, { log }: { log: Log }): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'atrium',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', (error) => log.warn({ err: String(error) }, 'the connection of a long job broke'))
  await client.connect().catch((cause) => {
    throw new Unavailable('no database connection is free', { cause })
  })
  return client
}
