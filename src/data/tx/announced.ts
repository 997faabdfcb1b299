import { directory } from '../sql/verbs.ts'
import type { Kind } from '../wire/announcements.ts'
import type { Database } from '../wire/database.ts'
import type { Announced, Tx } from './scope.ts'

/** Public answers are cached under this version; the next reader, in any process, does not get an old one. */
export const raiseContentVersion = directory.write((db, p: { id: number }) =>
  db
    .updateTable('tenants')
    .set((eb) => ({ contentVersion: eb('tenants.contentVersion', '+', 1) }))
    .where('tenants.id', '=', p.id),
)

/** What a process remembers of this subject is no longer so. It is read by all processes, and removed an hour later. */
export const insertInvalidation = directory.write((db, p: { kind: Kind | 'everything'; subject: number }) =>
  db
    .insertInto('invalidations')
    .values(p)
    .onConflict((conflict) => conflict.doNothing()),
)

const raiseAllContentVersions = directory.write((db, _: object) =>
  db.updateTable('tenants').set((eb) => ({ contentVersion: eb('tenants.contentVersion', '+', 1) })),
)

/** For changes that no statement of the service has made. */
export function announceEverything(tx: Tx<any>): void {
  insertInvalidation(tx, { kind: 'everything', subject: 0 })
  raiseAllContentVersions(tx, {})
}

/**
 * Queued when the action has succeeded: the last locks that a transaction takes. What it announces commits with it, so
 * that processes without a common channel learn of it too.
 */
export function writeAnnounced(tx: Tx<any>, announced: readonly Announced[]): void {
  for (const one of announced) {
    const invalidation = invalidationOf(one)
    if (invalidation) insertInvalidation(tx, invalidation)
    if (one.announcement === 'content') raiseContentVersion(tx, { id: one.tenantId })
  }
}

function invalidationOf({ announcement, tenantId }: Announced): { kind: Kind; subject: number } | undefined {
  switch (announcement) {
    case 'mail':
    case 'webhooks':
      return undefined
    case 'roles':
      return { kind: 'roles', subject: tenantId }
    case 'permissions':
      return { kind: 'permissions', subject: 0 }
    // The version of its content is remembered with the tenant.
    case 'content':
      return { kind: 'tenant', subject: tenantId }
    default: {
      const [[kind, subject]] = Object.entries(announcement) as [['session' | 'user' | 'tenant', number]]
      return { kind, subject }
    }
  }
}

/** The first effect of a commit: a person who loses a right has lost it before anyone learns of the change. */
export function announceAll(database: Database, announced: readonly Announced[]): void {
  for (const { announcement, tenantId } of announced) database.announcements.publish(announcement, tenantId)
}
