import type { TenantId } from '../../kernel/actor.ts'
import { enterMoment, LOOK_FOR_CLIENT } from '../connections/connect-alone.ts'
import { flightOf, openQueue, refuse } from '../tx/queue.ts'
import { EXECUTOR, type Scope } from '../tx/scope.ts'
import { openConnection } from '../wire/connection.ts'
import type { Database } from '../wire/database.ts'
import { type Call, changes, type FlightError } from '../wire/flight.ts'

/** The read handle of a tenant as of one moment, however long it is used. */
export interface Snapshot {
  scope: Scope
  /** the moment, an ISO instant by the clock of the database */
  takenAt: string
  /** Ends it immediately; a statement that is under way fails. Afterwards another one of its key can be opened. */
  close(): Promise<void>
}

/** How long one of its statements may take: nobody waits for it, but the server works. */
const STATEMENT_MS = 60_000

/**
 * Opens a snapshot of a tenant in the service's own role, on one connection of its own, where no short read waits for it.
 * @param key of what only one may be open in all processes: more of it are undefined
 * @throws Unavailable
 */
export async function openSnapshot(
  database: Database,
  tenantId: TenantId,
  key: string,
  mostMs: number,
): Promise<Snapshot | undefined> {
  const client = await database.connectAlone()
  try {
    await enterMoment(client, database.role, tenantId)
    const { rows } = await client.query<{ held: boolean; now: Date }>(
      'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held, clock_timestamp() as now',
      [key],
    )
    if (!rows[0]!.held) {
      await client.end()
      return undefined
    }
    await client.query(LOOK_FOR_CLIENT)
    await client.query(`set local statement_timeout = ${STATEMENT_MS}`)
    const { scope, close } = scopeOn(client, database, tenantId)
    const tooLong = setTimeout(close, mostMs, new Error('it took too long')).unref()
    return {
      scope,
      takenAt: rows[0]!.now.toISOString(),
      async close() {
        clearTimeout(tooLong)
        await close(new Error('it is not used any more'))
      },
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

const END: Call = { prepared: { name: 'end', text: 'rollback' }, values: [] }

function scopeOn(client: Parameters<typeof openConnection>[0], database: Database, tenantId: TenantId) {
  // As behind a pooler, because the URL may lead to one.
  const connection = openConnection(client, { shared: false, pooled: true })
  const enter = (tenant: TenantId) => database.entering(tenant, 'leased')
  const queue = openQueue((statements) => {
    const flight = flightOf(statements, { enter, inside: tenantId })
    connection.send(flight.calls).then(flight.answer, (error: FlightError) => refuse(statements, error))
  })
  const scope: Scope = {
    tenantId,
    [EXECUTOR]: {
      async run(tenant, call) {
        if (changes(call)) throw new Error(`a snapshot neither locks nor changes: ${call.prepared.text}`)
        return queue.ask(tenant, call)
      },
    },
  }
  return {
    scope,
    async close(reason: Error) {
      // The server learns of a closed connection only a moment later.
      if (connection.pending === 0) await connection.send([END]).catch(() => {})
      connection.destroy(reason)
    },
  }
}
