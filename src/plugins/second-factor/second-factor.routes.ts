import { type DomainRoutes, faults, IdParams, sharedScope, z } from '#atrium'
import { authFaults, holdSession, limitGuesses } from '#atrium/auth'
import { findTenant } from '#atrium/tenants'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeOwnSecondFactor,
  takeOffSecondFactor,
} from './second-factor.actions.ts'
import { secondFactorFaults } from './second-factor.rules.ts'
import { Beginning, Confirmation, NewSecondFactor, RecoveryCodes, Removal } from './second-factor.schemas.ts'
import { loadTotp } from './totp.ts'

/** People's own second factors, and taking one off somebody who has lost it. */
export const secondFactorRoutes: DomainRoutes = async (app, { config }) => {
  const guesses = limitGuesses(app, config.signInLimit)

  app.post(
    '/auth/second-factor',
    {
      config: { access: 'signed-in', despite: 'add-second-factor' },
      schema: {
        operationId: 'beginSecondFactor',
        summary: 'Begin a second factor',
        description:
          'Returns the secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). It counts once a code has confirmed it; beginning again replaces it. People who have a password prove it; wrong ones are limited like failed sign-ins.',
        body: Beginning,
        response: { 200: NewSecondFactor },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [authFaults.wrongPassword, secondFactorFaults.exists],
      },
    },
    async (req, reply) => {
      const { user } = req
      await guesses.proveOwnIfAny(req, reply, req.body?.password ?? '')
      const [totp, tenant] = await Promise.all([
        loadTotp(),
        findTenant(sharedScope(app.database), { id: user.tenantId }),
      ])
      const secret = totp.newSecret()
      await req.transactAs(user, user.tenantId, async (tx) => {
        await holdSession(tx)
        await beginSecondFactor(tx, secret)
      })
      return { secret, otpauthUrl: totp.urlOf(secret, `Atrium ${tenant!.name}`, user.username) }
    },
  )

  app.post(
    '/auth/second-factor/confirm',
    {
      config: { access: 'signed-in', despite: 'add-second-factor' },
      schema: {
        operationId: 'confirmSecondFactor',
        summary: 'Turn my second factor on',
        description:
          'From now on, signing in takes a `code` of the app, or one of the recovery codes. They are shown this once, and each works once. The user gets a mail.',
        body: Confirmation,
        response: { 200: RecoveryCodes },
        refuses: [
          secondFactorFaults.notFound,
          secondFactorFaults.exists,
          secondFactorFaults.wrongCode,
          faults.secretUnreadable,
        ],
      },
    },
    async (req) => {
      const totp = await loadTotp()
      const { user, body } = req
      return req.transactAs(user, user.tenantId, async (tx) => {
        await holdSession(tx)
        return { recoveryCodes: await confirmSecondFactor(tx, totp, body.code, config) }
      })
    },
  )

  app.delete(
    '/auth/second-factor',
    {
      config: { access: 'signed-in', despite: 'add-second-factor' },
      schema: {
        operationId: 'removeSecondFactor',
        summary: 'Remove my second factor',
        description: 'Wrong passwords are limited like failed sign-ins.',
        body: Removal,
        response: { 200: z.null() },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [authFaults.wrongPassword, secondFactorFaults.notFound],
      },
    },
    async (req, reply) => {
      await guesses.proveOwn(req, reply, req.body.password)
      await req.transactAs(req.user, req.user.tenantId, async (tx) => {
        await holdSession(tx)
        await removeOwnSecondFactor(tx)
      })
    },
  )

  app.delete(
    '/users/:id/second-factor',
    {
      config: { access: 'user:update' },
      schema: {
        operationId: 'takeOffSecondFactor',
        summary: 'Take the second factor off a user who has lost it',
        description:
          'Only callers who hold every permission of the user may do so. The user gets a mail. Your own is removed by DELETE /auth/second-factor.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [secondFactorFaults.reserved],
      },
    },
    (req) => req.transact((tx) => takeOffSecondFactor(tx, req.params.id, config)),
  )
}
