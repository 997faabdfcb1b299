import { sql } from 'kysely'
import { type From, find, list, lock, write, writeReturning } from '../../data/sql/verbs.ts'
import type { Permission } from '../../kernel/access.ts'

const anHourAgo = sql<string>`now() - interval '1 hour'`

export const findCredentials = find((from, p: { username: string }) =>
  from('users')
    .select(['users.id', 'users.username', 'users.passwordHash', 'users.status'])
    .where('users.username', '=', p.username)
    .where('users.deletedAt', 'is', null),
)

/** Keeps an active user's password as it was checked until this transaction has ended. */
export const shareLockCredentials = lock((from, p: { id: number; passwordHash: string }) =>
  from('users')
    .select('users.id')
    .where('users.id', '=', p.id)
    .where('users.passwordHash', '=', p.passwordHash)
    .where('users.status', '=', 'active')
    .where('users.deletedAt', 'is', null)
    .forShare(),
)

export const findPasswordHash = find((from, p: { id: number }) =>
  from('users').select('users.passwordHash').where('users.id', '=', p.id),
)

/** Sessions that have not ended, of users who may sign in. */
const livingSessions = (from: From) =>
  from('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.tenantId', '=', 'sessions.tenantId').onRef('users.id', '=', 'sessions.userId'),
    )
    .where('users.status', '=', 'active')
    .where('sessions.expiresAt', '>', sql<string>`clock_timestamp()`)

export const listLivingSessions = list((from, p: { sessionIds: number[] }) =>
  livingSessions(from).select('sessions.id').where('sessions.id', '=', sql<number>`any(${p.sessionIds}::bigint[])`),
)

/** The user of a living session with their roles and permissions: what every request is decided on. */
export const findPrincipal = find((from, p: { sessionId: number; userId: number }) =>
  livingSessions(from)
    .where('sessions.id', '=', p.sessionId)
    .where('users.id', '=', p.userId)
    .select(['users.id', 'users.username', 'users.nickname', 'users.email'])
    .select((eb) => [
      sql<string[]>`array(${eb
        .selectFrom('userRoles')
        .innerJoin('roles', (join) =>
          join.onRef('roles.tenantId', '=', 'userRoles.tenantId').onRef('roles.id', '=', 'userRoles.roleId'),
        )
        .whereRef('userRoles.tenantId', '=', 'users.tenantId')
        .whereRef('userRoles.userId', '=', 'users.id')
        .select('roles.code')
        .orderBy('roles.id')})`.as('roles'),
      sql<Permission[]>`array(${eb
        .selectFrom('userRoles')
        .innerJoin('rolePermissions', (join) =>
          join
            .onRef('rolePermissions.tenantId', '=', 'userRoles.tenantId')
            .onRef('rolePermissions.roleId', '=', 'userRoles.roleId'),
        )
        .innerJoin('permissions', 'permissions.id', 'rolePermissions.permissionId')
        .whereRef('userRoles.tenantId', '=', 'users.tenantId')
        .whereRef('userRoles.userId', '=', 'users.id')
        .select('permissions.code')
        .groupBy(['permissions.code', 'permissions.id'])
        .orderBy('permissions.id')})`.as('permissions'),
    ]),
)

export const insertSession = write(({ insert }, p: { id: number; userId: number; ttl: number }) =>
  insert('sessions', { id: p.id, userId: p.userId, expiresAt: inSeconds(p.ttl) }),
)

export const prolongSession = write(({ update }, p: { id: number; ttl: number }) =>
  update('sessions')
    .set({ expiresAt: inSeconds(p.ttl) })
    .where('sessions.id', '=', p.id),
)

export const removeSession = write(({ remove }, p: { id: number }) =>
  remove('sessions').where('sessions.id', '=', p.id),
)

export const removeOtherSessions = write(({ remove }, p: { userId: number; kept: number }) =>
  remove('sessions').where('sessions.userId', '=', p.userId).where('sessions.id', '!=', p.kept),
)

export const removeSessions = write(({ remove }, p: { userId: number }) =>
  remove('sessions').where('sessions.userId', '=', p.userId),
)

/** Over for an hour: nobody is about to continue one of these. Their tokens go with them. */
export const removeExpiredSessions = removeExpired('sessions')

/** Of sessions that live on: one that is continued again and again leaves a token behind each time. */
export const removeExpiredRefreshTokens = removeExpired('refreshTokens')

/** The rows are chosen in an array, and so once; a subquery may be run again, and would go past its limit. */
function removeExpired(table: 'sessions' | 'refreshTokens') {
  return writeReturning(({ remove, from }, p: { most: number }) =>
    remove(table as 'sessions').where(
      sql<boolean>`${sql.ref(`${table}.id`)} = any(array(${from(table as 'sessions')
        .select('id')
        .where('expiresAt', '<', anHourAgo)
        .orderBy('expiresAt')
        .limit(p.most)
        .forUpdate()
        .skipLocked()}))`,
    ),
  )
}

export const insertRefreshToken = write(({ insert }, p: { sessionId: number; tokenHash: string; ttl: number }) =>
  insert('refreshTokens', { sessionId: p.sessionId, tokenHash: p.tokenHash, expiresAt: inSeconds(p.ttl) }),
)

/** The token with its session and user; `spent` tells whether its grace is over. */
export const lockRefreshToken = lock((from, p: { tokenHash: string }) =>
  from('refreshTokens')
    .innerJoin('sessions', (join) =>
      join
        .onRef('sessions.tenantId', '=', 'refreshTokens.tenantId')
        .onRef('sessions.id', '=', 'refreshTokens.sessionId'),
    )
    .innerJoin('users', (join) =>
      join.onRef('users.tenantId', '=', 'sessions.tenantId').onRef('users.id', '=', 'sessions.userId'),
    )
    .where('refreshTokens.tokenHash', '=', p.tokenHash)
    .where('refreshTokens.expiresAt', '>', sql<string>`clock_timestamp()`)
    .select(['refreshTokens.id', 'refreshTokens.sessionId', 'users.id as userId', 'users.username', 'users.status'])
    .select(
      sql<boolean>`coalesce(refresh_tokens.used_at < clock_timestamp() - interval '10 seconds', false)`.as('spent'),
    )
    .forUpdate('refreshTokens'),
)

export const useRefreshToken = write(({ update }, p: { id: number }) =>
  update('refreshTokens')
    .set({ usedAt: sql<string>`coalesce(used_at, clock_timestamp())` })
    .where('refreshTokens.id', '=', p.id),
)

export const updatePasswordHash = write(({ update }, p: { id: number; passwordHash: string }) =>
  update('users')
    .set({ passwordHash: p.passwordHash, updatedAt: sql<string>`clock_timestamp()` })
    .where('users.id', '=', p.id),
)

function inSeconds(ttl: number) {
  return sql<string>`clock_timestamp() + make_interval(secs => ${ttl})`
}
