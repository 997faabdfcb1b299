import { type Database, type Job, system, type TenantId, transact } from '#atrium'
import { noteSighting, shareLockSessions } from './auth.store.ts'

const PAUSE_MS = 10_000
/** Of a tenant, in one transaction. */
const MOST_AT_ONCE = 500

/**
 * The sessions that this process has served, written down apart from the requests: every ten seconds by its job. What cannot
 * be written is dropped: the next sighting follows.
 */
export function openSightings() {
  let noted = new Map<TenantId, Set<number>>()

  async function write(database: Database) {
    const taken = noted
    noted = new Map()
    for (const [tenantId, sessionIds] of taken) {
      const ids = [...sessionIds]
      while (ids.length) await writeSome(database, tenantId, ids.splice(0, MOST_AT_ONCE))
    }
  }

  async function writeSome(database: Database, tenantId: TenantId, ids: number[]) {
    await transact(database, { tenantId, actor: system, requestId: 'sightings' }, async (tx) => {
      for (const { id } of await shareLockSessions(tx, { ids })) noteSighting(tx, { sessionId: id })
    })
  }

  return {
    note(tenantId: TenantId, sessionId: number): void {
      const ofTenant = noted.get(tenantId)
      if (ofTenant) ofTenant.add(sessionId)
      else noted.set(tenantId, new Set([sessionId]))
    },
    job: {
      name: 'sightings of sessions',
      every: PAUSE_MS,
      first: PAUSE_MS,
      elsewhere: PAUSE_MS,
      run: ({ database }) => write(database),
    } satisfies Job,
  }
}
