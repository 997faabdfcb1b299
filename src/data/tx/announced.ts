import type { TenantId } from '../../kernel/actor.ts'
import { directory } from '../sql/verbs.ts'
import type { Announcement } from '../wire/announcements.ts'
import type { Database } from '../wire/database.ts'
import type { Executor, Terms, Tx } from './scope.ts'

/** What the public reads is kept ready under this version; whoever asks next, in any process, is not given the old. */
export const raiseContentVersion = directory.write((db, p: { id: number }) =>
  db
    .updateTable('tenants')
    .set((eb) => ({ contentVersion: eb('tenants.contentVersion', '+', 1) }))
    .where('tenants.id', '=', p.id),
)

/** Collects what the statements of one transaction announce, each thing once. */
export function collectAnnouncements(executor: Executor) {
  const collected = new Map<string, { announcement: Announcement; tenantId: TenantId }>()

  function note(tenantId: TenantId, terms: Terms | undefined) {
    const announcement = terms?.announces
    if (announcement) collected.set(`${tenantId} ${JSON.stringify(announcement)}`, { announcement, tenantId })
  }

  return {
    /** The executor, listened to. */
    executor: {
      run(tenantId, call, terms) {
        note(tenantId, terms)
        return executor.run(tenantId, call, terms)
      },
      queue(tenantId, call, terms) {
        note(tenantId, terms)
        executor.queue(tenantId, call, terms)
      },
    } satisfies Executor,
    /** Queued when the action is through: the last locks that a transaction takes. */
    raiseContentVersions(tx: Tx<any>) {
      for (const { announcement, tenantId } of collected.values())
        if (announcement === 'content') raiseContentVersion(tx, { id: tenantId })
    },
    /** The first effect of a commit: who has lost a right has lost it before anybody hears of the change. */
    effectOn: (database: Database) => ({
      label: 'announce what has changed',
      run() {
        for (const { announcement, tenantId } of collected.values())
          database.announcements.publish(announcement, tenantId)
      },
    }),
  }
}
