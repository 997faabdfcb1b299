import { inEveryTenant } from '../jobs/every-tenant.ts'
import { type Sweep, startSweep } from '../jobs/sweep.ts'
import type { Scope } from '../tx/scope.ts'
import type { Database } from '../wire/database.ts'
import { numberEvents } from './number-events.ts'
import { findUnnumbered } from './unnumbered.ts'

/** After each batch, requests have the database to themselves for this many times its duration. */
const REST = 4

const hasUnnumbered = async (scope: Scope) => (await findUnnumbered(scope, {})) !== undefined

/** Numbers the events that nobody has read yet, so that they do not pile up: readers number what they need themselves. */
export function startEventWorker(database: Database, pause = 5000): Sweep {
  return startSweep(database, { what: 'the events', pause }, (stopping) =>
    inEveryTenant(
      database,
      { failed: 'the events could not be numbered', where: hasUnnumbered, rest: REST, stopping },
      ({ tenantId }) => numberEvents(database, tenantId),
    ),
  )
}
