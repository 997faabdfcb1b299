import {
  type DomainRoutes,
  type FastifyRequest,
  type Fault,
  faults,
  hashToken,
  networkOf,
  openScope,
  visitor,
  z,
} from '#atrium'
import { findCredentials, hashPassword, peopleFaults, typed, UserView } from '#atrium/people'
import { assertMayChoose } from '#atrium/tenants'
import {
  authFaults,
  changePassword,
  checkCredentials,
  continueSession,
  endSession,
  holdsAdministration,
  register,
  type Session,
  signIn,
  tenantOfRefreshToken,
} from './auth.actions.ts'
import {
  Credentials,
  LogoutRequest,
  Me,
  PasswordChange,
  RefreshRequest,
  Registration,
  TokenPair,
} from './auth.schemas.ts'
import { findRegular, listKnownHere } from './auth.store.ts'
import { limitGuesses } from './guesses.ts'
import { placeOf, tokenPairOf } from './opened-session.ts'
import { sessionRoutes } from './sessions.routes.ts'

/** Sign-in, registration, sessions. The body names the tenant; without one it is `default`. */
export const authRoutes: DomainRoutes = async (app, { config }) => {
  await app.register(sessionRoutes)
  const guesses = limitGuesses(app, config.signInLimit)
  const refreshes = { name: 'refresh', most: config.refreshLimit, windowMs: 60_000 }
  const ofOneToken = { name: 'refresh-token', most: Math.ceil(config.refreshLimit / 60), windowMs: 60_000 }
  const firstOfMinute = { name: 'refresh-refused', most: 1, windowMs: 60_000 }
  const registrations = { name: 'registration', most: config.registrationLimit, windowMs: 600_000 }
  const pairOf = (session: Session) => tokenPairOf(app, config, session)

  app.post(
    '/auth/login',
    {
      // Repeating it opens one session more; refusing the second would leave none.
      config: { access: 'anyone', counts: 'signed_in', idempotent: false },
      schema: {
        operationId: 'login',
        summary: 'Sign in',
        description:
          '`tenantCode` names the tenant, or else `X-Tenant-Code`; the default is `default`. Failed attempts are limited, and an unknown user is refused like a wrong password. In an expired tenant only administrators can sign in; they can read prices, pay and sign out.',
        body: Credentials,
        response: { 200: TokenPair },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [authFaults.invalidCredentials],
      },
    },
    async (req, reply) => {
      const { username, password } = req.body
      const network = networkOf(req.ip)
      const proven = await guesses.signIn(req, reply, async () => {
        const { expiry, ...tenant } = await nameTenant(req, req.body.tenantCode, true)
        const scope = openScope(app.database, tenant.id)
        const [user, regulars, regular] = await Promise.all([
          findCredentials(scope, typed(username)),
          listKnownHere(scope, { ...typed(username), network }),
          findRegular(scope, { network }),
        ])
        const isKnownHere = regulars.some(({ id }) => id === user?.id)
        const isAnyoneKnownHere = regular !== undefined
        return {
          account: {
            tenantId: tenant.id,
            id: user?.id,
            username,
            passwordHash: user?.passwordHash,
            isKnownHere,
            isAnyoneKnownHere,
            user,
          },
          async check(isLooked, regular) {
            const isRight = await checkCredentials(isLooked ? user : undefined, password, network, regular)
            req.auditSubject = { tenantId: tenant.id, userId: user?.id ?? null, username: user?.username ?? null }
            return isRight && (!expiry || (await holdsAdministration(scope, user!.id)))
          },
          refusal: expiry ? () => expiry : authFaults.invalidCredentials,
        }
      })
      const session = await req.transactAs(
        visitor,
        proven.tenantId,
        (tx) => signIn(tx, proven.user!, config.refreshTokenTtl, { network, ...placeOf(req) }),
        req.auditSubject,
      )
      return pairOf(session)
    },
  )

  app.post(
    '/auth/register',
    {
      config: { access: 'anyone', counts: 'registered' },
      schema: {
        operationId: 'register',
        summary: 'Register',
        description:
          'The new user has the role `user` and is marked `selfRegistered`; the administrators are notified (`USER_REGISTERED`). `tenantCode` names the tenant, or else `X-Tenant-Code`; the default is `default`. A closed tenant accepts no registrations.',
        body: Registration,
        response: { 201: UserView },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [authFaults.registrationClosed, peopleFaults.usernameTaken],
      },
    },
    async (req, reply) => {
      const { username, email, password } = req.body
      const tenant = await nameTenant(req, req.body.tenantCode)
      await app.limits.take(reply, [{ limit: registrations, key: networkOf(req.ip) }])
      const scope = openScope(app.database, tenant.id)
      await assertMayChoose(scope, password, { username, email }, 'body.password', [tenant.code])
      const passwordHash = await hashPassword(password, networkOf(req.ip))
      const subject: { tenantId: number; userId: number | null; username: string | null } = {
        tenantId: tenant.id,
        userId: null,
        username: null,
      }
      return req.transactAs(
        visitor,
        tenant.id,
        async (tx) => {
          const user = await register(tx, { username, email, passwordHash })
          subject.userId = user.id
          subject.username = user.username
          return user
        },
        subject,
      )
    },
  )

  app.post(
    '/auth/refresh',
    {
      // A used token is recognized, and an immediate retry gets a valid pair.
      config: { access: 'anyone', idempotent: false },
      schema: {
        operationId: 'refreshSession',
        summary: 'Continue a session',
        description: 'A refresh token works once. If it is used again after ten seconds, the whole session ends.',
        body: RefreshRequest,
        response: { 200: TokenPair },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [authFaults.invalidRefreshToken],
      },
    },
    async (req, reply) => {
      const { refreshToken } = req.body
      const network = networkOf(req.ip)
      const flood: Fault | undefined = await app.limits
        .take(reply, [{ limit: refreshes, key: network }])
        .catch((fault) => fault)
      // Only the first refusal per minute is audited: a flood is visible but does not fill the disk.
      if (flood && !(await app.limits.tally({ limit: firstOfMinute, key: network }))) throw flood
      const tenantId = tenantOfRefreshToken(refreshToken)
      const subject: NonNullable<FastifyRequest['auditSubject']> = { tenantId, userId: null, username: null }
      const { expiry } = await app.tenancies.enterById(tenantId, authFaults.invalidRefreshToken, {
        found: () => {
          req.auditSubject = subject
        },
        expired: true,
      })
      if (flood) throw flood
      const once = { limit: ofOneToken, key: hashToken(refreshToken) }
      const refusal: Fault | undefined = await app.limits.take(reply, [once]).catch((fault) => fault)
      const session = await req.transactAs(
        visitor,
        tenantId,
        async (tx) => {
          // A stolen token ends its session, even past its limit of uses.
          const continued = await continueSession(tx, refreshToken, config.refreshTokenTtl, refusal)
          if ('ended' in continued) {
            subject.status = authFaults.invalidRefreshToken().status
            return continued
          }
          Object.assign(subject, { userId: continued.userId, username: continued.username })
          if (expiry && !(await holdsAdministration(tx, continued.userId))) throw expiry
          return continued
        },
        subject,
      )
      if (!('ended' in session)) return pairOf(session)
      throw authFaults.invalidRefreshToken()
    },
  )

  app.post(
    '/auth/logout',
    {
      config: { access: 'signed-in', leaves: true },
      schema: {
        operationId: 'logout',
        summary: 'Sign out',
        description: 'Ends this session immediately, also in a disabled or expired tenant.',
        body: LogoutRequest,
        response: { 200: z.null() },
      },
    },
    async (req) => {
      await req.transactAs(req.user, req.user.tenantId, endSession)
      return null
    },
  )

  app.get(
    '/auth/me',
    {
      config: { access: 'signed-in', renews: true, despite: 'change-password' },
      schema: {
        operationId: 'getMe',
        summary: 'Who am I',
        description: 'Includes the current roles and permissions. A change of either takes effect within a second.',
        response: { 200: Me },
      },
    },
    async (req) => {
      const { id, tenantId, username, nickname, email, roles, permissions } = req.user
      return { id, tenantId, username, nickname, email, roles: [...roles], permissions: [...permissions] }
    },
  )

  app.put(
    '/auth/password',
    {
      config: { access: 'signed-in', despite: 'change-password' },
      schema: {
        operationId: 'changePassword',
        summary: 'Change my password',
        description: "Ends the caller's other sessions. Wrong current passwords are limited like failed sign-ins.",
        body: PasswordChange,
        response: { 200: z.null() },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [authFaults.wrongPassword],
      },
    },
    async (req, reply) => {
      const { currentPassword, newPassword } = req.body
      const scope = openScope(app.database, req.user.tenantId)
      await assertMayChoose(scope, newPassword, req.user, 'body.newPassword', [req.tenant!.code])
      await guesses.proveOwn(req, reply, currentPassword)
      if (req.user.duty === 'change-password') assertOther(newPassword, currentPassword)
      const passwordHash = await hashPassword(newPassword, networkOf(req.ip))
      await req.transactAs(req.user, req.user.tenantId, (tx) => changePassword(tx, passwordHash))
      return null
    },
  )

  /** Finds the tenant of a sign-in or registration, which audits later refusals. */
  function nameTenant(req: FastifyRequest, code: string | null | undefined, expired?: true) {
    const found = ({ id }: { id: number }) => {
      req.auditSubject = { tenantId: id, userId: null, username: null }
    }
    return app.tenancies.enter(code?.trim() || app.tenancies.codeIn(req), { found, expired })
  }
}

/** The same password again is no change. @throws VALIDATION_FAILED */
function assertOther(password: string, current: string): void {
  if (password.normalize('NFC') === current.normalize('NFC'))
    throw faults.validation([{ path: 'body.newPassword', message: 'must not be the current password' }])
}
