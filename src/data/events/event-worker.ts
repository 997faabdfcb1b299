import type { Job } from '../jobs/job.ts'
import type { Scope } from '../tx/scope.ts'
import { numberEvents } from './number-events.ts'
import { findUnnumbered } from './unnumbered.ts'

/** After each batch, requests have the database to themselves for this many times its duration. */
const REST = 4

const hasUnnumbered = async (scope: Scope) => (await findUnnumbered(scope, {})) !== undefined

/** Numbers the events that nobody has read yet, so that they do not pile up: readers number what they need themselves. */
export const eventWorker: Job = {
  name: 'the events',
  every: 5000,
  inTenants: { failed: 'the events could not be numbered', where: hasUnnumbered, rest: REST },
  work: ({ tenantId }, { database }) => numberEvents(database, tenantId),
}
