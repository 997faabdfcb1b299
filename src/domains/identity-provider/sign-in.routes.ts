import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  type Config,
  type FastifyRequest,
  Fault,
  faults,
  hashToken,
  networkOf,
  openScope,
  type Scope,
  visitor,
  z,
} from '#atrium'
import { passwords, placeOf, TokenPair, tokenPairOf } from '#atrium/auth'
import { peopleFaults } from '#atrium/people'
import { planFaults } from '#atrium/plans'
import { providerFaults } from './identity-provider.rules.ts'
import { CallbackQuery, Exchange, MethodsQuery, MethodsView, StartQuery } from './identity-provider.schemas.ts'
import { findClient, findProvider, getProvider } from './identity-provider.store.ts'
import { type Client, type Providers, SignInFailed, type Ties } from './protocol/client.ts'
import {
  type Begun,
  browserOf,
  cookieOf,
  drawSecret,
  isOfBrowser,
  openBegun,
  openNamed,
  SIGN_IN_SECONDS,
  sealBegun,
  sealNamed,
  tiesOf,
} from './protocol/tickets.ts'
import { placeOf as placeOfSecret } from './provider.actions.ts'
import { enter, refusalOf, rolesGiven } from './sign-in.actions.ts'

const CALLBACK = '/auth/oidc/callback'
/** How long a page may take to ask for its session. */
const CODE_MS = 60_000
const REDIRECT = { description: 'Leads the browser on', content: { 'text/plain': { schema: z.any() } } }

/** Sign-in at the identity provider of a tenant: the authorization code flow with PKCE (OpenID Connect Core 1.0, RFC 9700). */
export const signInRoutes: FastifyPluginAsyncZod<{ config: Config; providers: Providers }> = async (
  app,
  { config, providers },
) => {
  const limit = { name: 'provider-sign-in', most: config.refreshLimit, windowMs: 60_000 }

  app.get(
    '/auth/sign-in-methods',
    {
      config: { access: 'anyone', limit },
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
      config: { access: 'anyone', limit },
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
        redirectUri: redirectUriOf(config, req),
        browser: hashToken(secret),
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

  app.get(
    CALLBACK,
    {
      config: { access: 'anyone', limit, audited: true },
      schema: {
        operationId: 'finishProviderSignIn',
        summary: 'Come back from the identity provider',
        description: 'The provider leads browsers here. A sign-in that this browser has not started is refused.',
        querystring: CallbackQuery,
        response: { 302: REDIRECT },
        sends: ['Location'],
        refuses: [providerFaults.foreignState],
      },
    },
    async (req, reply) => {
      const begun = openBegun(app.sealer, req.query.state)
      const secret = browserOf(req, config.production)
      if (!begun || !secret || !isOfBrowser(begun, secret) || !pageOf(begun.returnTo))
        throw providerFaults.foreignState()
      req.auditSubject = { tenantId: begun.tenantId, userId: null, username: null }
      const ties = tiesOf(secret, begun, req.query.state)
      try {
        return reply.redirect(`${begun.returnTo}#code=${encodeURIComponent(await nameOf(req, begun, ties))}`)
      } catch (error) {
        return reply.redirect(`${begun.returnTo}#error=${reasonOf(req, begun, error)}`)
      }
    },
  )

  app.post(
    '/auth/oidc/exchange',
    {
      // A code works once by itself.
      config: { access: 'anyone', limit, counts: 'signed_in', idempotent: false },
      schema: {
        operationId: 'exchangeSignInCode',
        summary: 'Open the session of a sign-in at the identity provider',
        description:
          'The code works once, for 60 seconds. Somebody who is new here becomes a person now, and the groups of the provider change their roles. Neither a password nor a second factor is asked: both are up to the provider.',
        body: Exchange,
        response: { 200: TokenPair },
        refuses: [providerFaults.invalidCode, peopleFaults.usernameTaken, planFaults.exceeded],
      },
    },
    async (req) => {
      const opened = openNamed(app.sealer, req.body.code)
      if (!opened || opened.named.until < Date.now()) throw providerFaults.invalidCode()
      const { tenantId, named } = opened
      const subject: NonNullable<FastifyRequest['auditSubject']> = { tenantId, userId: null, username: null }
      req.auditSubject = subject
      const { expiry } = await app.tenancies.enterById(tenantId, providerFaults.invalidCode, { expired: true })
      const place = { network: networkOf(req.ip), ...placeOf(req) }
      const session = await req.transactAs(
        visitor,
        tenantId,
        async (tx) => {
          const entered = await enter(tx, named, expiry !== undefined, config.refreshTokenTtl, place)
          Object.assign(subject, { userId: entered.userId, username: entered.username })
          return entered
        },
        subject,
      )
      return tokenPairOf(app, config, session)
    },
  )

  /** Asks the provider who has come back, and seals the answer for the page. @throws SignInFailed */
  async function nameOf(req: FastifyRequest, begun: Begun, ties: Ties): Promise<string> {
    if (begun.until < Date.now()) throw new Refused('SIGN_IN_EXPIRED')
    const { expiry } = await app.tenancies.enterById(begun.tenantId, providerFaults.invalidCode, { expired: true })
    const scope = openScope(app.database, begun.tenantId)
    const [client, provider] = await Promise.all([clientOf(scope, begun), getProvider(scope, {})])
    const answer = new URL(`${begun.redirectUri}?${req.url.split('?').slice(1).join('?')}`)
    const claims = await providers.redeem(client, answer, ties, provider.groupsClaim)
    const refusal = await refusalOf(scope, provider, claims, expiry !== undefined)
    if (refusal) throw new Refused(refusal)
    const { subject, email, name, username } = claims
    const { id, issuer, clientId } = begun
    const until = Date.now() + CODE_MS
    const roles = await rolesGiven(scope, claims)
    return sealNamed(app.sealer, scope.tenantId, {
      ...{ id, issuer, clientId, subject, email, name, username, roles, until },
    })
  }

  async function findTenantOf(req: FastifyRequest, code: string | undefined) {
    try {
      const { id } = await app.tenancies.enter(code || app.tenancies.codeIn(req), { expired: true })
      const scope = openScope(app.database, id)
      return { scope, provider: await findProvider(scope, {}) }
    } catch (error) {
      if (error instanceof Fault && error.status < 500) return undefined
      throw error
    }
  }

  /** The provider that a sign-in has begun at, if it is still that of the tenant. @throws SignInFailed */
  async function clientOf(scope: Scope, begun: Begun): Promise<Client> {
    const client = await findClient(scope, {})
    if (client?.issuer !== begun.issuer || client.clientId !== begun.clientId)
      throw new SignInFailed('SIGN_IN_INVALID', 'the tenant has another provider now')
    try {
      return { ...client, clientSecret: app.sealer.open(client.clientSecret, placeOfSecret(scope.tenantId)) }
    } catch (error) {
      throw new SignInFailed('PROVIDER_UNAVAILABLE', error)
    }
  }

  /** What the page learns of a failure; the log says more, and no secret. */
  function reasonOf(req: FastifyRequest, { tenantId, issuer }: Begun, error: unknown): string {
    if (error instanceof Refused) return error.message
    if (error instanceof Fault && error.status < 500) return 'SIGN_IN_INVALID'
    if (!(error instanceof SignInFailed)) throw error
    const err = String(error.cause).slice(0, 300)
    req.log.warn({ requestId: req.id, tenantId, issuer, reason: error.reason, err }, 'a sign-in at a provider failed')
    return error.reason
  }

  /** The page without its fragment, if browsers may be led there. */
  function pageOf(address: string): string | undefined {
    const url = URL.parse(address)
    if (!url || url.username || url.password || !/^https?:$/.test(url.protocol)) return undefined
    const isOwn = config.publicUrl !== undefined && url.origin === new URL(config.publicUrl).origin
    if (!isOwn && !app.allowsOrigin(url.origin)) return undefined
    url.hash = ''
    return url.href
  }
}

class Refused extends Error {}

/** Where the provider leads browsers. A Host that is not ours only misleads its own sender, and no provider knows it. */
export function redirectUriOf({ publicUrl }: Pick<Config, 'publicUrl'>, { protocol, host }: FastifyRequest): string {
  const origin = publicUrl?.replace(/\/$/, '') ?? `${protocol}://${host}`
  return `${origin}/api/v1${CALLBACK}`
}
