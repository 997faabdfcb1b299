import { lockAll, onKey, paginate, sql, write, writeReturning } from '#atrium'
import { livingSessions } from './auth.store.ts'

/** The live sessions of a person. */
export const listSessions = paginate(
  (from, p: { userId: number; current: number }) =>
    livingSessions(from)
      .leftJoin('sessionSightings', onKey('sessionSightings.sessionId', 'sessions.id'))
      .where('sessions.userId', '=', p.userId)
      .select(['sessions.id', 'sessions.createdAt', 'sessions.ip', 'sessions.userAgent'])
      .select(sql<boolean>`sessions.id = ${p.current}`.as('current'))
      .select(sql<string>`greatest(sessions.created_at, session_sightings.seen_at)`.as('lastSeenAt')),
  'sessions.id',
)

/** Ends a session if it is this person's. */
export const removeSessionOf = writeReturning(
  ({ remove }, p: { id: number; userId: number }) =>
    remove('sessions').where('sessions.id', '=', p.id).where('sessions.userId', '=', p.userId).returning('sessions.id'),
  { announces: (p) => ({ session: p.id }) },
)

/** Of these sessions, those that still exist, and do so until this transaction ends. */
export const shareLockSessions = lockAll((from, p: { ids: number[] }) =>
  from('sessions')
    .select('sessions.id')
    .where('sessions.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .orderBy('sessions.id')
    .forKeyShare(),
)

export const noteSighting = write(({ insert }, p: { sessionId: number }) =>
  insert('sessionSightings', p).onConflict((conflict) =>
    conflict.columns(['tenantId', 'sessionId']).doUpdateSet({ seenAt: sql<string>`clock_timestamp()` }),
  ),
)
