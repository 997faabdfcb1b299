import {
  type From,
  find,
  lend,
  list,
  lock,
  lockAll,
  matches,
  onKey,
  type PartOf,
  paginate,
  removeOldest,
  sql,
  write,
  writeReturning,
} from '#atrium'
import { calledSo, holdsOffice, personOf, type typed } from '#atrium/people'
import { roleIdsHeld } from '#atrium/roles'

const anHourAgo = sql<string>`now() - interval '1 hour'`

/** From where a session is opened. Its person sees all but the network. */
export type Place = PartOf<'sessions', 'ip' | 'userAgent'> &
  Partial<PartOf<'sessions', 'openedWith'>> &
  PartOf<'signInNetworks', 'network'>

/** Live sessions of users who may sign in. */
const livingSessions = (from: From) =>
  from('sessions')
    .innerJoin('users', personOf('sessions.userId'))
    .where('users.status', '=', 'active')
    .where('sessions.expiresAt', '>', sql<string>`clock_timestamp()`)

export const listLivingSessions = list((from, p: { sessionIds: number[] }) =>
  livingSessions(from).select('sessions.id').where('sessions.id', '=', sql<number>`any(${p.sessionIds}::bigint[])`),
)

/** People with this name who have recently signed in from this network. */
export const listKnownHere = list((from, p: ReturnType<typeof typed> & { network: string }) =>
  from('signInNetworks')
    .innerJoin('users', personOf('signInNetworks.userId'))
    .where(calledSo(p))
    .where('signInNetworks.network', '=', p.network)
    .select('users.id'),
)

/** Whether anyone has signed in from this network. */
export const findRegular = find((from, p: { network: string }) =>
  from('signInNetworks').where('signInNetworks.network', '=', p.network).select('signInNetworks.userId').limit(1),
)

/** Whether a session has not been ended. */
export const findSession = find((from, p: { id: number }) =>
  from('sessions').select('sessions.id').where('sessions.id', '=', p.id),
)

/** Written once a day, however often a person signs in. */
export const rememberNetwork = write(({ insert }, p: { userId: number; network: string }) =>
  insert('signInNetworks', p).onConflict((conflict) =>
    conflict
      .columns(['tenantId', 'userId', 'network'])
      .doUpdateSet({ seenAt: sql<string>`excluded.seen_at` })
      .where(sql<boolean>`excluded.seen_at - sign_in_networks.seen_at > interval '1 day'`),
  ),
)

/** Written at every sign-in: a person has one row. */
export const noteSignIn = write(({ insert }, p: { userId: number }) =>
  insert('lastSignIns', p).onConflict((conflict) =>
    conflict.columns(['tenantId', 'userId']).doUpdateSet({ signedInAt: sql<string>`excluded.signed_in_at` }),
  ),
)

export const forgetLastSignIn = write(({ remove }, p: { userId: number }) =>
  remove('lastSignIns').where('lastSignIns.userId', '=', p.userId),
)

/** In a query over `users`: when the person last signed in; null if they never did. */
export const lastSignInOf = lend(
  ['lastSignIns'],
  (from: From) =>
    sql<string | null>`(${from('lastSignIns')
      .select('lastSignIns.signedInAt')
      .where(matches('lastSignIns.userId', 'users.id'))})`,
)

/** Removes the longest unseen first. */
export const removeOldNetworks = removeOldest('signInNetworks', 'seenAt', sql<string>`now() - interval '90 days'`)

/** The user of a live session with their roles, and its remaining ms. */
export const findPrincipal = find((from, p: { sessionId: number; userId: number }) =>
  livingSessions(from)
    .where('sessions.id', '=', p.sessionId)
    .where('users.id', '=', p.userId)
    .select([
      'users.username',
      'users.nickname',
      'users.email',
      'users.selfRegistered',
      roleIdsHeld(from).as('roleIds'),
    ])
    .select(holdsOffice(from).as('holdsOffice'))
    .select(sql<boolean>`users.second_factor_at is not null`.as('hasSecondFactor'))
    .select(['users.mustChangePassword', 'sessions.openedWith'])
    .select(sql<number>`(1000 * extract(epoch from sessions.expires_at - clock_timestamp()))::float8`.as('endsIn')),
)

export const insertSession = write(
  ({ insert }, { ttl, ...p }: { id: number; userId: number; ttl: number } & Omit<Place, 'network'>) =>
    insert('sessions', { ...p, expiresAt: inSeconds(ttl) }),
)

export const prolongSession = write(({ update }, p: { id: number; ttl: number }) =>
  update('sessions')
    .set({ continuedAt: sql<string>`statement_timestamp()`, expiresAt: inSeconds(p.ttl) })
    .where('sessions.id', '=', p.id),
)

export const removeSession = write(
  ({ remove }, p: { id: number }) => remove('sessions').where('sessions.id', '=', p.id),
  { announces: (p) => ({ session: p.id }) },
)

/** The live sessions of a person. */
export const listSessions = paginate(
  (from, p: { userId: number; current: number }) =>
    livingSessions(from)
      .leftJoin('sessionSightings', onKey('sessionSightings.sessionId', 'sessions.id'))
      .where('sessions.userId', '=', p.userId)
      .select(['sessions.id', 'sessions.createdAt', 'sessions.ip', 'sessions.userAgent', 'sessions.openedWith'])
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
    conflict.columns(['tenantId', 'sessionId']).doUpdateSet({ seenAt: sql<string>`excluded.seen_at` }),
  ),
)

/** Ends all sessions of a person, or all but one. */
export const endSessions = write(
  ({ remove }, p: { userId: number; kept?: number }) =>
    remove('sessions')
      .where('sessions.userId', '=', p.userId)
      .$if(p.kept !== undefined, (query) => query.where('sessions.id', '!=', p.kept!)),
  { announces: (p) => ({ user: p.userId }) },
)

/** Removes sessions an hour after their end, when none is being continued. Their tokens go with them. */
export const removeExpiredSessions = removeOldest('sessions', 'expiresAt', anHourAgo)

/** For live sessions: each continuation leaves an old token. */
export const removeExpiredRefreshTokens = removeOldest('refreshTokens', 'expiresAt', anHourAgo)

export const insertRefreshToken = write(({ insert }, p: { sessionId: number; tokenHash: string; ttl: number }) =>
  insert('refreshTokens', { sessionId: p.sessionId, tokenHash: p.tokenHash, expiresAt: inSeconds(p.ttl) }),
)

/** The token with its session and user; `spent`: its grace period is over. */
export const lockRefreshToken = lock((from, p: { tokenHash: string }) =>
  from('refreshTokens')
    .innerJoin('sessions', onKey('sessions.id', 'refreshTokens.sessionId'))
    .innerJoin('users', personOf('sessions.userId'))
    .where('refreshTokens.tokenHash', '=', p.tokenHash)
    .where('refreshTokens.expiresAt', '>', sql<string>`clock_timestamp()`)
    .select(['refreshTokens.id', 'refreshTokens.sessionId', 'users.id as userId', 'users.username', 'users.status'])
    .select(['sessions.continuedAt', 'sessions.createdAt'])
    .select(
      sql<boolean>`coalesce(refresh_tokens.used_at < clock_timestamp() - interval '10 seconds', false)`.as('spent'),
    )
    .forNoKeyUpdate('sessions'),
)

export const useRefreshToken = write(({ update }, p: { id: number }) =>
  update('refreshTokens')
    .set({ usedAt: sql<string>`statement_timestamp()` })
    .where('refreshTokens.id', '=', p.id)
    .where('refreshTokens.usedAt', 'is', null),
)

function inSeconds(ttl: number) {
  return sql<string>`statement_timestamp() + make_interval(secs => ${ttl})`
}
