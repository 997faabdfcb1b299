import { type DomainRoutes, type FastifyInstance, type FastifyRequest, faults, openScope, visitor } from '#atrium'
import { findCredentials, typed } from '#atrium/people'
import { authFaults, checkCredentials, holdsAdministration, signIn } from './auth.actions.ts'
import { decideSignIn, type Proof, passwords, secondFactors } from './auth.rules.ts'
import { Credentials, TokenPair } from './auth.schemas.ts'
import { findRegular, listKnownHere } from './auth.store.ts'
import { limitGuesses } from './guesses.ts'
import { placeOf, tokenPairOf } from './opened-session.ts'

/** Sign-in with a password, and with a code if a second factor protects the account. */
export const signInRoutes: DomainRoutes = async (app, { config }) => {
  const guesses = limitGuesses(app, config.signInLimit)

  app.post(
    '/auth/login',
    {
      // Repeating it opens one session more; refusing the second would leave none.
      config: { access: 'anyone', counts: 'signed_in', idempotent: false },
      schema: {
        operationId: 'login',
        summary: 'Sign in',
        description:
          '`tenantCode` names the tenant, or else `X-Tenant-Code`; the default is `default`. People with a second factor send its `code` too: without it, the right password is refused with `SECOND_FACTOR_REQUIRED`, and a wrong or used code counts as a failed attempt. Failed attempts are limited, and an unknown user is refused like a wrong password. If people of the tenant sign in at an identity provider, every refusal is `PASSWORD_SIGN_IN_FORBIDDEN`. In an expired tenant only administrators can sign in; they can read prices, pay and sign out.',
        body: Credentials,
        response: { 200: TokenPair },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [
          authFaults.invalidCredentials,
          authFaults.secondFactorRequired,
          authFaults.passwordForbidden,
          faults.secretUnreadable,
        ],
      },
    },
    async (req, reply) => {
      const { username, password, code } = req.body
      const place = placeOf(req)
      const { network } = place
      let proof: Proof | undefined
      let isAsked = false
      const proven = await guesses.signIn(req, reply, async () => {
        const { expiry, ...tenant } = await nameTenant(app, req, req.body.tenantCode, true)
        const scope = openScope(app.database, tenant.id)
        const [isForbidden, user, regulars, regular] = await Promise.all([
          passwords.get().areForbidden(scope),
          findCredentials(scope, typed(username)),
          listKnownHere(scope, { ...typed(username), network }),
          findRegular(scope, { network }),
        ])
        // Looked up whether the password is right or not, so that nobody learns from the time.
        const isExcepted = isForbidden && !(await passwords.get().areForbidden(scope, user?.id))
        const account = {
          tenantId: tenant.id,
          id: user?.id,
          username,
          passwordHash: user?.passwordHash,
          isKnownHere: regulars.some(({ id }) => id === user?.id),
          isAnyoneKnownHere: regular !== undefined,
          user,
        }
        return {
          account,
          async check(isLooked, regular) {
            const isProven = await checkCredentials(isLooked ? user : undefined, password, network, regular)
            req.auditSubject = { tenantId: tenant.id, userId: user?.id ?? null, username: user?.username ?? null }
            if (!isProven) return false
            const { id, secondFactorAt } = user!
            if (secondFactorAt && code)
              proof = await guesses.checkCode(account, () => secondFactors.get().check(scope, app.sealer, id, code))
            const decision = decideSignIn({
              isProven,
              isExpired: expiry !== undefined,
              isForbidden: isForbidden && !isExcepted,
              isAdministrator: expiry !== undefined && (await holdsAdministration(scope, id)),
              hasSecondFactor: secondFactorAt !== null,
              code: code ? (proof ? 'right' : 'wrong') : undefined,
            })
            isAsked = decision === 'ask for a code'
            return decision !== 'refuse'
          },
          refusal: expiry ? () => expiry : isForbidden ? authFaults.passwordForbidden : authFaults.invalidCredentials,
        }
      })
      if (isAsked) throw authFaults.secondFactorRequired()
      const session = await req.transactAs(
        visitor,
        proven.tenantId,
        (tx) => signIn(tx, proven.user!, config.refreshTokenTtl, place, proof),
        req.auditSubject,
      )
      return tokenPairOf(app, config, session)
    },
  )
}

/** Finds the tenant of a sign-in or registration, which audits later refusals. */
export function nameTenant(app: FastifyInstance, req: FastifyRequest, code: string | null | undefined, expired?: true) {
  const found = ({ id }: { id: number }) => {
    req.auditSubject = { tenantId: id, userId: null, username: null }
  }
  return app.tenancies.enter(code?.trim() || app.tenancies.codeIn(req), { found, expired })
}
