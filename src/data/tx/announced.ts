import { directory } from '../sql/verbs.ts'
import type { Database } from '../wire/database.ts'
import type { Announced, Tx } from './scope.ts'

/** Public answers are cached under this version; the next reader, in any process, does not get an old one. */
export const raiseContentVersion = directory.write((db, p: { id: number }) =>
  db
    .updateTable('tenants')
    .set((eb) => ({ contentVersion: eb('tenants.contentVersion', '+', 1) }))
    .where('tenants.id', '=', p.id),
)

/** Queued when the action has succeeded: the last locks that a transaction takes. */
export function raiseContentVersions(tx: Tx<any>, announced: readonly Announced[]): void {
  for (const { announcement, tenantId } of announced)
    if (announcement === 'content') raiseContentVersion(tx, { id: tenantId })
}

/** The first effect of a commit: a person who loses a right has lost it before anyone learns of the change. */
export function announceAll(database: Database, announced: readonly Announced[]): void {
  for (const { announcement, tenantId } of announced) database.announcements.publish(announcement, tenantId)
}
