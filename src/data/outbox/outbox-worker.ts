import type { Job } from '../jobs/job.ts'
import type { Scope } from '../tx/scope.ts'
import { deliverNotifications, findWaiting } from './outbox.ts'

/** After each batch of a backlog, requests have the database to themselves for this many times its duration. */
const REST = 11

const hasWaiting = async (scope: Scope) => (await findWaiting(scope, {})) !== undefined

/**
 * Empties every tenant's outbox immediately and then every few seconds, for the events of processes that were killed
 * between commit and delivery. Other processes do so at their start: the successor of a killed one delivers immediately
 * what that one has left.
 */
export const outboxWorker: Job = {
  name: 'the outbox',
  every: 5000,
  elsewhere: 3600_000,
  inTenants: { failed: 'the outbox could not be emptied', where: hasWaiting, rest: REST },
  work: ({ tenantId }, { database }) => deliverNotifications(database, tenantId),
}
