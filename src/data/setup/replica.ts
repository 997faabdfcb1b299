import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantId } from '../../kernel/actor.ts'
import { Fault } from '../../kernel/fault.ts'
import { QueueRefusal } from '../../util/shares/fair-queue.ts'
import { cold, compile } from '../sql/compile.ts'
import { openScope } from '../tx/open-scope.ts'
import type { Scope } from '../tx/scope.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../wire/database.ts'
import type { Call, Result } from '../wire/flight.ts'
import { findHoles } from './isolation/prove-isolation.ts'

/**
 * A streaming replica, only for public reads. It lags, so each flight first asks it for the tenant's content version:
 * if that is lower than the primary's, as known here, the primary is asked instead. So a process never shows anything
 * older than it has shown before, and what was published through it is visible immediately. After any error the primary
 * is asked: a replica may be away, miss a migration, or cancel a statement that conflicts with its replay. What is
 * refused to one visitor is refused.
 */
export interface Replica {
  /** The read handle of a tenant. `contentVersion` is the primary's: nothing older is read. */
  scope(primary: Database, tenant: { id: TenantId; contentVersion: number }, caller: string | number): Scope
  close(): Promise<void>
}

/** A slower answer is not worth waiting for: the primary has it. */
const FLIGHT_TIMEOUT_MS = 1000
/** How long a replica that failed is not used. */
const PAUSE_MS = 1000

const readVersion = compile('read', (p: { id: TenantId }) =>
  cold.selectFrom('tenants').select('tenants.contentVersion').where('tenants.id', '=', p.id),
)

/** Opens a replica, which may be away. It is used once it has been proven to isolate tenants, as the primary is. */
export async function openReplica(
  options: Pick<DatabaseOptions, 'url' | 'role' | 'pooled' | 'readConnections' | 'log'>,
): Promise<Replica> {
  const { url, role, log } = options
  const database = await openDatabase({
    ...options,
    writeConnections: 0,
    transactionConnections: 1,
    optional: true,
    replica: true,
    onCluster: false,
    flightTimeout: FLIGHT_TIMEOUT_MS,
  })
  let closed = false
  let closedUntil = Number.POSITIVE_INFINITY
  void prove()
  const isOpen = () => performance.now() >= closedUntil && database.stats().connections > 0

  async function prove() {
    for (let complained = false; !closed; await sleep(PAUSE_MS, undefined, { ref: false })) {
      const holes = await findHoles(url, role).catch((error: Error) => [error.message])
      if (holes.length === 0) {
        closedUntil = 0
        return log.info({}, 'the replica serves public reads')
      }
      if (!complained) log.warn({ holes }, 'the replica is not used yet')
      complained = true
    }
  }

  /** Undefined if the replica is not available, or too old. @throws TOO_COSTLY, RATE_LIMITED */
  async function ask(
    send: (calls: readonly Call[]) => Promise<Result[]>,
    [enter, ...calls]: readonly Call[],
    id: TenantId,
    least: number,
  ): Promise<Result[] | undefined> {
    if (!isOpen()) return undefined
    try {
      const [entered, told, ...results] = await send([enter!, readVersion(undefined, { id }), ...calls])
      const version = told!.rows[0]?.contentVersion as number | undefined
      return version !== undefined && version >= least ? [entered!, ...results] : undefined
    } catch (error) {
      // One visitor asks too much, which does not mean that it failed.
      if (error instanceof Fault) throw error
      if (!((error as Error).cause instanceof QueueRefusal)) closedUntil = performance.now() + PAUSE_MS
      return undefined
    }
  }

  return {
    scope(primary, { id, contentVersion }, caller) {
      const send: Database['send'] = async (tenantId, calls) =>
        (await ask((sent) => database.send(tenantId, sent), calls, id, contentVersion)) ?? primary.send(tenantId, calls)
      const search: Database['search'] = async (tenantId, calls, who) =>
        (await ask((sent) => database.search(tenantId, sent, who), calls, id, contentVersion)) ??
        primary.search(tenantId, calls, who)
      return openScope(Object.assign(Object.create(primary) as Database, { send, search }), id, caller)
    },
    async close() {
      closed = true
      await database.close()
    },
  }
}
