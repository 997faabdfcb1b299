import {
  type DomainRoutes,
  type FastifyRequest,
  type Fault,
  fail,
  faults,
  hashToken,
  networkOf,
  openScope,
  quotaFaults,
  tenantOfToken,
  visitor,
  z,
} from '#atrium'
import { hashPassword, peopleFaults, UserView } from '#atrium/people'
import { assertMayChoose } from '#atrium/tenants'
import {
  assertMayUsePassword,
  authFaults,
  changePassword,
  continueSession,
  endSession,
  holdsAdministration,
  register,
} from './auth.actions.ts'
import { LogoutRequest, Me, PasswordChange, RefreshRequest, Registration, TokenPair } from './auth.schemas.ts'
import { limitGuesses } from './guesses.ts'
import { tokenPairOf } from './opened-session.ts'
import { sessionRoutes } from './sessions.routes.ts'
import { nameTenant, signInRoutes } from './sign-in.routes.ts'

/** Registration, sessions, passwords. The body names the tenant; without one it is `default`. */
export const authRoutes: DomainRoutes = async (app, { config }) => {
  const guesses = limitGuesses(app, config.signInLimit)
  await app.register(signInRoutes, { config })
  await app.register(sessionRoutes, { config })
  const refreshes = { name: 'refresh', most: config.refreshLimit, windowMs: 60_000 }
  const ofOneToken = { name: 'refresh-token', most: Math.ceil(config.refreshLimit / 60), windowMs: 60_000 }
  const firstOfMinute = { name: 'refresh-refused', most: 1, windowMs: 60_000 }
  const registrations = { name: 'registration', most: config.registrationLimit, windowMs: 600_000 }

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
        refuses: [authFaults.registrationClosed, peopleFaults.usernameTaken, quotaFaults.exceeded],
      },
    },
    async (req, reply) => {
      const { username, email, password } = req.body
      const tenant = await nameTenant(app, req, req.body.tenantCode)
      await app.limits.take(reply, [{ limit: registrations, key: networkOf(req.ip) }])
      const scope = openScope(app.database, tenant.id)
      await assertMayChoose(scope, password, { username, email }, 'body.password', [tenant.code])
      const passwordHash = await hashPassword(password, networkOf(req.ip))
      const subject = req.auditSubject!
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
      const tenantId = tenantOfToken(refreshToken) ?? fail(authFaults.invalidRefreshToken())
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
          const continued = await continueSession(tx, refreshToken, config, refusal)
          Object.assign(subject, { userId: continued.userId, username: continued.username })
          if ('ended' in continued) {
            subject.status = authFaults.invalidRefreshToken().status
            return continued
          }
          if (expiry && !(await holdsAdministration(tx, continued.userId))) throw expiry
          return continued
        },
        subject,
      )
      if (!('ended' in session)) return tokenPairOf(app, config, session)
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
    (req) => req.transactAs(req.user, req.user.tenantId, endSession),
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
      const { code, name } = req.tenant!
      const person = { id, tenantId, username, nickname, email }
      return { ...person, tenant: { code, name }, roles: [...roles], permissions: [...permissions] }
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
        refuses: [authFaults.wrongPassword, authFaults.passwordForbidden],
      },
    },
    async (req, reply) => {
      const { currentPassword, newPassword } = req.body
      const scope = openScope(app.database, req.user.tenantId)
      await assertMayUsePassword(scope, req.user.id)
      await assertMayChoose(scope, newPassword, req.user, 'body.newPassword', [req.tenant!.code])
      await guesses.proveOwn(req, reply, currentPassword)
      if (req.user.duty === 'change-password') assertOther(newPassword, currentPassword)
      const passwordHash = await hashPassword(newPassword, networkOf(req.ip))
      await req.transactAs(req.user, req.user.tenantId, (tx) => changePassword(tx, passwordHash))
    },
  )
}

/** The same password again is no change. @throws VALIDATION_FAILED */
function assertOther(password: string, current: string): void {
  if (password.normalize('NFC') === current.normalize('NFC'))
    throw faults.validation([{ path: 'body.newPassword', message: 'must not be the current password' }])
}
