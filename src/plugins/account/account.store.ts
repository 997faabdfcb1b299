import { type From, find, lock, removeOldest, sql, write, writeReturning } from '#atrium'
import { credentialsMark, localeOf, personOf } from '#atrium/people'

/** Puts a request aside: it is answered after the response, which is the same for anybody and takes as long. */
export const insertResetRequest = write(({ insert }, p: { username: string | null; email: string | null }) =>
  insert('passwordResetRequests', p),
)

/** The oldest request that no other process is answering. */
export const lockResetRequest = lock((from, _: object) =>
  from('passwordResetRequests')
    .select(['passwordResetRequests.id', 'passwordResetRequests.username', 'passwordResetRequests.email'])
    .orderBy('passwordResetRequests.id')
    .limit(1)
    .forUpdate()
    .skipLocked(),
)

export const findResetRequest = find((from, _: object) =>
  from('passwordResetRequests').select('passwordResetRequests.id').limit(1),
)

export const removeResetRequest = write(({ remove }, p: { id: number }) =>
  remove('passwordResetRequests').where('passwordResetRequests.id', '=', p.id),
)

/**
 * Makes a link for a new password, which replaces an older one: at most `most` in an hour that begins with the first.
 * @returns `affected` is 0 if the person has had so many
 */
export const saveReset = writeReturning(
  ({ insert }, p: { userId: number; tokenHash: string; mark: string; seconds: number; most: number }) => {
    const isOver = sql<boolean>`excluded.window_started_at - password_resets.window_started_at >= interval '1 hour'`
    return insert('passwordResets', {
      userId: p.userId,
      tokenHash: p.tokenHash,
      mark: p.mark,
      expiresAt: inSeconds(p.seconds),
    }).onConflict((conflict) =>
      conflict
        .columns(['tenantId', 'userId'])
        .doUpdateSet({
          tokenHash: sql<string>`excluded.token_hash`,
          mark: sql<string>`excluded.mark`,
          expiresAt: sql<string>`excluded.expires_at`,
          windowStartedAt: sql<string>`case when ${isOver} then excluded.window_started_at else password_resets.window_started_at end`,
          sent: sql<number>`case when ${isOver} then 1 else password_resets.sent + 1 end`,
        })
        .where(sql<boolean>`${isOver} or password_resets.sent < ${p.most}`),
    )
  },
)

const resets = (from: From, p: { tokenHash: string }) =>
  from('passwordResets')
    .innerJoin('users', personOf('passwordResets.userId'))
    .select(['passwordResets.id', 'users.id as userId', 'users.username', 'users.email'])
    .where('passwordResets.tokenHash', '=', p.tokenHash)
    .where('passwordResets.expiresAt', '>', sql<string>`clock_timestamp()`)
    .where('passwordResets.mark', '=', credentialsMark)
    .where('users.status', '=', 'active')

/** The person whose password a link may change now. */
export const findReset = find(resets)

/** The same, for its use. Their password and address stay as they are until this transaction ends. */
export const lockReset = lock((from, p: { tokenHash: string }) => resets(from, p).forNoKeyUpdate())

/** The row stays, because it counts. */
export const useReset = write(({ update }, p: { id: number }) =>
  update('passwordResets').set({ tokenHash: null }).where('passwordResets.id', '=', p.id),
)

/** Those that count no more. */
export const removeOldResets = removeOldest('passwordResets', 'expiresAt', sql<string>`now() - interval '1 hour'`)

/** Makes a link that confirms an address; it replaces an older one. */
export const saveConfirmation = write(
  ({ insert }, p: { userId: number; email: string; tokenHash: string; mark: string; seconds: number }) =>
    insert('emailConfirmations', {
      userId: p.userId,
      email: p.email,
      tokenHash: p.tokenHash,
      mark: p.mark,
      expiresAt: inSeconds(p.seconds),
    }).onConflict((conflict) =>
      conflict.columns(['tenantId', 'userId']).doUpdateSet({
        email: sql<string>`excluded.email`,
        tokenHash: sql<string>`excluded.token_hash`,
        mark: sql<string>`excluded.mark`,
        expiresAt: sql<string>`excluded.expires_at`,
      }),
    ),
)

/** The address that a person has not confirmed yet. */
export const findPendingEmail = find((from, p: { userId: number }) =>
  from('emailConfirmations')
    .innerJoin('users', personOf('emailConfirmations.userId'))
    .select('emailConfirmations.email')
    .where('emailConfirmations.userId', '=', p.userId)
    .where('emailConfirmations.expiresAt', '>', sql<string>`clock_timestamp()`)
    .where('emailConfirmations.mark', '=', credentialsMark),
)

/** The address that a link confirms, and its person. */
export const findConfirmation = find((from, p: { tokenHash: string }) =>
  from('emailConfirmations')
    .innerJoin('users', personOf('emailConfirmations.userId'))
    .select(['emailConfirmations.id', 'emailConfirmations.email'])
    .select(['users.id as userId', 'users.username', 'users.email as formerEmail', localeOf.as('locale')])
    .where('emailConfirmations.tokenHash', '=', p.tokenHash)
    .where('emailConfirmations.expiresAt', '>', sql<string>`clock_timestamp()`)
    .where('emailConfirmations.mark', '=', credentialsMark)
    .where('users.status', '=', 'active'),
)

export const removeConfirmation = write(({ remove }, p: { id: number }) =>
  remove('emailConfirmations').where('emailConfirmations.id', '=', p.id),
)

export const removeOldConfirmations = removeOldest('emailConfirmations', 'expiresAt', sql<string>`now()`)

function inSeconds(seconds: number) {
  return sql<string>`clock_timestamp() + make_interval(secs => ${seconds})`
}
