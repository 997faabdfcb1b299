import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type FastifyRequest, Fault, faults, hashToken, openScope, quotaFaults } from '#atrium'
import { passwords, placeOf, TokenPair, tokenPairOf, transactAsPerson } from '#atrium/auth'
import { peopleFaults } from '#atrium/people'
import { providerFaults } from './identity-provider.rules.ts'
import { Exchange, MethodsQuery, MethodsView, StartQuery } from './identity-provider.schemas.ts'
import { findProvider } from './identity-provider.store.ts'
import {
  type Begun,
  browserOf,
  cookieOf,
  drawSecret,
  isOfPage,
  openNamed,
  SIGN_IN_SECONDS,
  sealBegun,
  tiesOf,
} from './protocol/tickets.ts'
import { enter } from './sign-in.actions.ts'
import { limitOf, openSteps, REDIRECT, redirectUriOf, type SignInParts } from './sign-in.steps.ts'

/** Sign-in at the identity provider of a tenant: the authorization code flow with PKCE (OpenID Connect Core 1.0, RFC 9700). */
export const signInRoutes: FastifyPluginAsyncZod<SignInParts> = async (app, { config, providers }) => {
  const { clientOf, pageOf, reasonOf } = openSteps(app, config)

  app.get(
    '/auth/sign-in-methods',
    {
      config: { access: 'anyone', limit: limitOf(config, 'methods') },
      schema: {
        operationId: 'getSignInMethods',
        summary: 'How people of a tenant sign in',
        description:
          'For a sign-in form. A tenant that does not exist is answered like one without an identity provider. Where `password` is false, some administrators may still use theirs, so a form keeps a way to it.',
        querystring: MethodsQuery,
        response: { 200: MethodsView },
      },
    },
    async (req) => {
      const found = await findTenantOf(req, req.query.tenantCode)
      return {
        password: !found || !(await passwords.get().areForbidden(found.scope)),
        identityProvider: found?.provider !== undefined,
      }
    },
  )

  app.get(
    '/auth/oidc/start',
    {
      config: { access: 'anyone', limit: limitOf(config, 'start') },
      schema: {
        operationId: 'startProviderSignIn',
        summary: 'Sign in at the identity provider',
        description:
          'For browsers, which come back to `returnTo` with `#code=…` for `POST /auth/oidc/exchange`, or with `#error=…`: `PROVIDER_NOT_CONFIGURED` (also for a tenant that does not exist), `PROVIDER_UNAVAILABLE`, `ACCESS_DENIED`, `SIGN_IN_INVALID`, `SIGN_IN_EXPIRED`, `ACCOUNT_NOT_FOUND`, `ACCOUNT_DISABLED`, `TENANT_EXPIRED`. The sign-in is bound to the browser by a cookie.',
        querystring: StartQuery,
        response: { 302: REDIRECT },
        sends: ['Location'],
      },
    },
    async (req, reply) => {
      const returnTo = pageOf(req.query.returnTo)
      if (!returnTo)
        throw faults.validation([{ path: 'query.returnTo', message: 'must be a page of an allowed origin' }])
      const found = await findTenantOf(req, req.query.tenantCode)
      if (!found?.provider) return reply.redirect(`${returnTo}#error=PROVIDER_NOT_CONFIGURED`)
      const { scope, provider } = found
      const secret = browserOf(req, config.production) ?? drawSecret()
      const begun: Begun = {
        id: drawSecret(),
        tenantId: scope.tenantId,
        issuer: provider.issuer,
        clientId: provider.clientId,
        returnTo,
        redirectUri: redirectUriOf(config, req, provider.ownRedirect ? found.code : undefined),
        browser: hashToken(secret),
        challenge: req.query.codeChallenge,
        until: Date.now() + SIGN_IN_SECONDS * 1000,
      }
      const ties = tiesOf(secret, begun, sealBegun(app.sealer, begun))
      try {
        const client = await clientOf(scope, begun)
        const address = await providers.addressOf(client, begun.redirectUri, ties, provider.groupsClaim)
        return reply.header('set-cookie', cookieOf(secret, config.production)).redirect(address.href)
      } catch (error) {
        return reply.redirect(`${returnTo}#error=${reasonOf(req, begun, error)}`)
      }
    },
  )

  app.post(
    '/auth/oidc/exchange',
    {
      // A code works once by itself.
      config: { access: 'anyone', limit: limitOf(config, 'exchange'), counts: 'signed_in', idempotent: false },
      schema: {
        operationId: 'exchangeSignInCode',
        summary: 'Open the session of a sign-in at the identity provider',
        description:
          'The code works once, for 60 seconds. Somebody who is new here becomes a person now, and the groups of the provider change their roles. Neither a password nor a second factor is asked: both are up to the provider. If the sign-in was begun with a `codeChallenge`, another page than the one that began is refused, and the code stays good for that one.',
        body: Exchange,
        response: { 200: TokenPair },
        refuses: [
          providerFaults.foreignState,
          providerFaults.invalidCode,
          peopleFaults.usernameTaken,
          quotaFaults.exceeded,
        ],
      },
    },
    async (req) => {
      const opened = openNamed(app.sealer, req.body.code)
      if (!opened || opened.named.until < Date.now()) throw providerFaults.invalidCode()
      const { tenantId, named } = opened
      req.auditSubject = { tenantId, userId: null, username: null }
      // Nothing is written: who only has the code cannot use it up, and the verifier is too long to be guessed.
      if (!isOfPage(named, req.body.codeVerifier)) throw providerFaults.foreignState()
      const { expiry } = await app.tenancies.enterById(tenantId, providerFaults.invalidCode, { expired: true })
      const place = placeOf(req)
      const session = await transactAsPerson(req, tenantId, (tx) =>
        enter(tx, named, expiry !== undefined, config.refreshTokenTtl, place),
      )
      return tokenPairOf(app, config, session)
    },
  )

  async function findTenantOf(req: FastifyRequest, code: string | undefined) {
    try {
      const tenant = await app.tenancies.enter(code || app.tenancies.codeIn(req), { expired: true })
      const scope = openScope(app.database, tenant.id)
      return { scope, code: tenant.code, provider: await findProvider(scope, {}) }
    } catch (error) {
      if (error instanceof Fault && error.status < 500) return undefined
      throw error
    }
  }
}
