import {
  type Actor,
  type Config,
  type Database,
  DEVELOPMENT_PASSWORD,
  drawToken,
  type Fault,
  FIRST_TENANT,
  fail,
  fault,
  faults,
  hashToken,
  nextId,
  notFound,
  openScope,
  Refusal,
  ROLE,
  removing,
  type Scope,
  type Tx,
  takeRoom,
} from '#atrium'
import {
  findCredentials,
  findNicknamed,
  lockSecondFactor,
  nicknameSkeletonOf,
  peopleFaults,
  recordUserFields,
  savePasswordHash,
  shareLockCredentials,
  typed,
  verifyPassword,
} from '#atrium/people'
import { areAdministrative, createUserWithRole, isTitle, listAdministratorIds, listRolesHeld } from '#atrium/roles'
import { getPolicy, sessionSecondsOf, shareLockDoor } from '#atrium/tenants'
import { decideContinuation, type Proof, passwords, secondFactors } from './auth.rules.ts'
import {
  endSessions,
  findSession,
  insertRefreshToken,
  insertSession,
  lockRefreshToken,
  noteSignIn,
  type Place,
  prolongSession,
  rememberNetwork,
  removeExpiredRefreshTokens,
  removeExpiredSessions,
  removeOldNetworks,
  removeSession,
  removeSessionOf,
  useRefreshToken,
} from './auth.store.ts'

export const authFaults = {
  invalidCredentials: fault('INVALID_CREDENTIALS', 401, 'The user name or the password is wrong'),
  secondFactorRequired: fault('SECOND_FACTOR_REQUIRED', 401, 'Enter the code of your second factor'),
  invalidRefreshToken: fault('INVALID_REFRESH_TOKEN', 401, 'The session has ended; sign in again'),
  wrongPassword: fault('WRONG_PASSWORD', 400, 'The current password is wrong'),
  sessionNotFound: notFound('Session'),
  passwordForbidden: fault('PASSWORD_SIGN_IN_FORBIDDEN', 403, 'Sign in at the identity provider of your organization'),
  registrationClosed: fault('REGISTRATION_CLOSED', 403, 'This tenant takes no registrations'),
}

/** A new or continued session, with its next refresh token. */
export type Session = ReturnType<typeof withRefreshToken>

/** Whether the password is the found user's. Unknown user, wrong password and disabled user take the same time. */
export async function checkCredentials(
  found: { passwordHash: string; status: string } | undefined,
  password: string,
  network?: string,
  regular?: string,
): Promise<boolean> {
  const proven = await verifyPassword(password, found?.passwordHash, network, regular)
  return proven && found?.status === 'active'
}

/** Whether a person is an administrator of the tenant now. */
export async function holdsAdministration(scope: Scope, userId: number): Promise<boolean> {
  return areAdministrative(await listRolesHeld(scope, { userId }))
}

/**
 * Creates an account with the role `user` for a stranger and notifies the tenant's administrators. Closing registration
 * waits for this, so nobody can register afterwards.
 * @throws REGISTRATION_CLOSED, USERNAME_TAKEN, QUOTA_EXCEEDED
 */
export async function register(
  tx: Tx<Actor>,
  { username, email, passwordHash }: { username: string; email: string; passwordHash: string },
) {
  const nicknameSkeleton = nicknameSkeletonOf(username)!
  const [door, isForbidden, nicknamed, administrators] = await tx.inOrder([
    shareLockDoor(tx, { id: tx.tenantId }),
    passwords.get().areForbidden(tx),
    findNicknamed(tx, { nicknameSkeleton }),
    listAdministratorIds(tx, {}),
  ])
  if (door?.registration !== 'open' || isForbidden) throw authFaults.registrationClosed()
  // Others could mistake their displayed name for another person's.
  if (nicknamed || isTitle(nicknameSkeleton)) throw peopleFaults.usernameTaken()
  const stranger = { username, email, passwordHash, nickname: username, selfRegistered: true }
  await takeRoom(tx, 'people')
  const user = await createUserWithRole(tx, stranger, ROLE.user)
  tx.notify({
    type: 'USER_REGISTERED',
    facts: {},
    resourceType: 'user',
    resourceId: user.id,
    receivers: administrators.map(({ id }) => id),
  })
  return user
}

/**
 * Opens a session for a user whose password and second factor were checked and are still the same: a concurrent change of
 * the password either ends this session too or refuses it. The code of the second factor is used up.
 * @throws INVALID_CREDENTIALS
 */
export async function signIn(
  tx: Tx<Actor>,
  proven: { id: number; username: string; passwordHash: string; secondFactorAt: string | null },
  usualTtl: number,
  place: Place,
  code: Proof | undefined,
): Promise<Session> {
  const [held, session, isUnused] = await tx.inOrder([
    shareLockCredentials(tx, proven),
    openSession(tx, proven, usualTtl, place),
    code ? secondFactors.get().use(tx, proven.id, code) : true,
  ])
  if (!held || !isUnused) throw authFaults.invalidCredentials()
  return session
}

const NOWHERE: Place = { ip: null, network: '', userAgent: null }

/** @throws PASSWORD_SIGN_IN_FORBIDDEN if a person, or a stranger, may not use a password */
export async function assertMayUsePassword(scope: Scope, userId?: number): Promise<void> {
  if (await passwords.get().areForbidden(scope, userId)) throw authFaults.passwordForbidden()
}

/**
 * Opens a session: the one place where somebody signs in, in whatever way they have proved who they are.
 * @param usualTtl for how many seconds it lasts if the tenant has not set it
 */
export async function openSession(
  tx: Tx<Actor>,
  user: { id: number; username: string },
  usualTtl: number,
  { network, ...place }: Place = NOWHERE,
): Promise<Session> {
  const [sessionId, policy] = await Promise.all([nextId(tx, 'sessions'), getPolicy(tx, { id: tx.tenantId })])
  const ttl = sessionSecondsOf(policy, usualTtl)
  insertSession(tx, { id: sessionId, userId: user.id, ttl, ...place })
  rememberNetwork(tx, { userId: user.id, network })
  noteSignIn(tx, { userId: user.id })
  return withRefreshToken(tx, { userId: user.id, username: user.username, sessionId }, ttl)
}

/**
 * Continues a session that is not over by what its tenant has set now. A refresh token works once, and again within 10 s of
 * its use, for another tab that sent it at the same time. A later use means that it was copied, so the whole session ends.
 * @param refusal why it is not continued; a session that is over, or whose token was copied, still ends
 * @returns the session, or whose session has ended
 */
export async function continueSession(
  tx: Tx<Actor>,
  refreshToken: string,
  { refreshTokenTtl, sessionLifetime: lifetime }: Pick<Config, 'refreshTokenTtl' | 'sessionLifetime'>,
  refusal?: Fault,
): Promise<Session | { ended: true; userId: number; username: string }> {
  const [found, policy] = await tx.inOrder([
    lockRefreshToken(tx, { tokenHash: hashToken(refreshToken) }),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  const token = found ?? fail(authFaults.invalidRefreshToken())
  const ttl = sessionSecondsOf(policy, refreshTokenTtl)
  const { sessionId, userId, username, continuedAt, createdAt, spent: isSpent } = token
  const decision = decideContinuation(
    { isActive: token.status === 'active', isSpent, continuedAt, createdAt },
    { ttl, lifetime, since: policy.sessionsSince },
    tx.now,
  )
  if (decision === 'refuse') throw authFaults.invalidRefreshToken()
  if (decision === 'end') {
    removeSession(tx, { id: sessionId })
    return { ended: true, userId, username }
  }
  if (refusal) throw refusal
  useRefreshToken(tx, { id: token.id })
  prolongSession(tx, { id: sessionId, ttl })
  return withRefreshToken(tx, { userId, username, sessionId }, ttl)
}

/** Removes expired sessions, tokens and networks. */
export const endedSessions = [
  removing('expired sessions', removeExpiredSessions),
  removing('expired refresh tokens', removeExpiredRefreshTokens),
  removing('networks that nobody signs in from any more', removeOldNetworks),
]

/**
 * Goes before a command that changes how its actor comes in, or gives somebody a secret of theirs. They were signed in when
 * it arrived; if that has been ended meanwhile, nothing of it comes back by a command that was under way. Their password and
 * sessions stay as they are until the transaction ends. A lock on the staff comes before it.
 * @throws UNAUTHENTICATED
 */
export async function holdSession(tx: Tx): Promise<void> {
  const { id, sessionId } = tx.actor
  const [, session] = await tx.inOrder([lockSecondFactor(tx, { id }), findSession(tx, { id: sessionId })])
  if (!session) throw faults.unauthenticated()
}

/** Ends another session of the actor, or this one. @throws NOT_FOUND */
export async function endOwnSession(tx: Tx, id: number): Promise<void> {
  const { affected } = await removeSessionOf(tx, { id, userId: tx.actor.id })
  if (affected === 0) throw authFaults.sessionNotFound()
}

/** Ends all sessions of the actor but this one. */
export async function endOtherSessions(tx: Tx): Promise<void> {
  endSessions(tx, { userId: tx.actor.id, kept: tx.actor.sessionId })
}

/** Ends the actor's own session. */
export async function endSession(tx: Tx): Promise<void> {
  removeSession(tx, { id: tx.actor.sessionId })
}

/** Stores the actor's new password and ends their other sessions. @throws UNAUTHENTICATED */
export async function changePassword(tx: Tx, passwordHash: string): Promise<void> {
  await holdSession(tx)
  savePasswordHash(tx, { id: tx.actor.id, passwordHash, mustChangePassword: false })
  recordUserFields(tx, tx.actor.id, ['password'])
  endSessions(tx, { userId: tx.actor.id, kept: tx.actor.sessionId })
}

/** Sets a person's password without the old one and ends all their sessions. @throws NOT_FOUND */
export async function resetPassword(tx: Tx<Actor>, username: string, passwordHash: string) {
  const [user, { firstPassword }] = await Promise.all([
    findCredentials(tx, typed(username)),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  const found = user ?? fail(peopleFaults.notFound())
  savePasswordHash(tx, { id: found.id, passwordHash, mustChangePassword: firstPassword === 'change' })
  recordUserFields(tx, found.id, ['password'])
  endSessions(tx, { userId: found.id })
  return found
}

function withRefreshToken(
  tx: Tx<Actor>,
  session: { userId: number; username: string; sessionId: number },
  ttl: number,
) {
  const refreshToken = drawToken(tx.tenantId)
  insertRefreshToken(tx, { sessionId: session.sessionId, tokenHash: hashToken(refreshToken), ttl })
  return { ...session, tenantId: tx.tenantId, refreshToken }
}

/** A database from development still has the well-known password. @throws Refusal */
export async function refuseDevelopmentPassword(
  database: Database,
  { firstStart }: { firstStart: boolean },
): Promise<void> {
  if (firstStart) return
  const found = await findCredentials(openScope(database, FIRST_TENANT), typed('admin'))
  if (await checkCredentials(found, DEVELOPMENT_PASSWORD))
    throw new Refusal('The administrator still has the development password; set another one: atrium admin passwd')
}
