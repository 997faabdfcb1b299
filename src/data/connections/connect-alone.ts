import type pg from 'pg'
import type { TenantId } from '../../kernel/actor.ts'
import type { Log } from '../../kernel/log.ts'
import { Unavailable } from '../wire/unavailable.ts'
import { Client } from './client.ts'

/** A long job can wait longer for its connection than a request for one of the pool. */
const CONNECT_MS = 10_000

/** A connection that belongs to one long job and has no limits of time. Rejects with Unavailable. */
export async function connectAlone(url: string, { log }: { log: Log }): Promise<pg.Client> {
  const client = new Client({
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

const ENTER = `select set_config('role', $1, true), set_config('app.tenant_id', $2, true), set_config('timezone', 'UTC', true),
  set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
  set_config('max_parallel_workers_per_gather', '0', true)`

/**
 * For a transaction with a lock that must not outlast its process: the server looks every second whether its client is
 * still there, also during a long statement. Some systems cannot.
 */
export const LOOK_FOR_CLIENT = `do $$ begin perform set_config('client_connection_check_interval', '1s', true);
  exception when invalid_parameter_value then null; end $$`

/**
 * Enters a tenant, or none, in the role of the service, until the transaction of such a connection ends. Instants are
 * those of UTC, and nothing is limited in time.
 */
export async function enterAlone(client: pg.Client, role: string, tenantId: TenantId | ''): Promise<void> {
  await client.query(ENTER, [role, String(tenantId)])
  if (tenantId === '') return
  // The form in which Citus takes settings along to the node that holds the rows.
  await client.query(`set local app.tenant_id = '${BigInt(tenantId)}'`)
  await client.query(`set local timezone = 'UTC'`)
}

/** Begins a transaction in which everything of a tenant is read as of one moment. */
export async function enterMoment(client: pg.Client, role: string, tenantId: TenantId): Promise<void> {
  await client.query('begin isolation level repeatable read, read only')
  await enterAlone(client, role, tenantId)
}

/** A transaction in a tenant, or in none, on a connection of its own. */
export async function inTenant<T>(
  client: pg.Client,
  role: string,
  tenantId: TenantId | '',
  act: () => Promise<T>,
): Promise<T> {
  await client.query('begin')
  try {
    await enterAlone(client, role, tenantId)
    const result = await act()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
