import { inEveryTenant } from '../jobs/every-tenant.ts'
import { type Sweep, startSweep } from '../jobs/sweep.ts'
import type { Scope } from '../tx/scope.ts'
import type { Database } from '../wire/database.ts'
import { deliverNotifications, findWaiting } from './outbox.ts'

/** After each batch of a backlog, requests have the database to themselves for this many times its duration. */
const REST = 11

/**
 * Sweeps every tenant's outbox immediately and then every few seconds, for the events of processes that were killed
 * between commit and delivery.
 */
export function startOutboxWorker(database: Database, pause = 5000): Sweep {
  return startSweep(database, { what: 'the outbox', pause }, (stopping) =>
    inEveryTenant(
      database,
      { failed: 'the outbox could not be emptied', where: hasWaiting, rest: REST, stopping },
      ({ tenantId }) => deliverNotifications(database, tenantId),
    ),
  )
}

const hasWaiting = async (scope: Scope) => (await findWaiting(scope, {})) !== undefined
