import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type FastifyReply, type FastifyRequest, openScope } from '#atrium'
import { providerFaults } from './identity-provider.rules.ts'
import { CallbackParams, CallbackQuery } from './identity-provider.schemas.ts'
import { getProvider } from './identity-provider.store.ts'
import { SignInFailed, type Ties } from './protocol/client.ts'
import { type Begun, browserOf, isOfBrowser, openBegun, sealNamed, tiesOf } from './protocol/tickets.ts'
import { arrive, rolesGiven } from './sign-in.actions.ts'
import { CALLBACK, limitOf, openSteps, REDIRECT, Refused, type SignInParts } from './sign-in.steps.ts'

/** How long a page may take to ask for its session. */
const CODE_MS = 60_000

/** The ways back from the provider: one for all tenants, and one for each. */
export const callbackRoutes: FastifyPluginAsyncZod<SignInParts> = async (app, { config, providers }) => {
  const { clientOf, pageOf, reasonOf } = openSteps(app, config)
  const limit = limitOf(config, 'callback')

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
    (req, reply) => finish(req, reply, CALLBACK),
  )

  app.get(
    `${CALLBACK}/:tenantCode`,
    {
      config: { access: 'anyone', limit, audited: true },
      schema: {
        operationId: 'finishProviderSignInOfTenant',
        summary: 'Come back from the identity provider of one tenant',
        description:
          'The same for a provider whose tenant has an address of its own (`ownRedirect`). A sign-in that was begun at another provider ends with `SIGN_IN_INVALID` here, so no provider can pass off the code of another one as its own (RFC 9700, 4.4).',
        params: CallbackParams,
        querystring: CallbackQuery,
        response: { 302: REDIRECT },
        sends: ['Location'],
        refuses: [providerFaults.foreignState],
      },
    },
    (req, reply) => finish(req, reply, `${CALLBACK}/${req.params.tenantCode}`),
  )

  /** @param path the address that the browser has come to */
  async function finish(req: FastifyRequest & { query: CallbackQuery }, reply: FastifyReply, path: string) {
    const begun = openBegun(app.sealer, req.query.state)
    const secret = browserOf(req, config.production)
    if (!begun || !secret || !isOfBrowser(begun, secret) || !pageOf(begun.returnTo)) throw providerFaults.foreignState()
    req.auditSubject = { tenantId: begun.tenantId, userId: null, username: null }
    const ties = tiesOf(secret, begun, req.query.state)
    try {
      if (!begun.redirectUri.endsWith(path)) throw new SignInFailed('SIGN_IN_INVALID', 'it came to another address')
      return reply.redirect(`${begun.returnTo}#code=${encodeURIComponent(await nameOf(req, begun, ties))}`)
    } catch (error) {
      return reply.redirect(`${begun.returnTo}#error=${reasonOf(req, begun, error)}`)
    }
  }

  /** Asks the provider who has come back, and seals the answer for the page. @throws SignInFailed */
  async function nameOf(req: FastifyRequest, begun: Begun, ties: Ties): Promise<string> {
    if (begun.until < Date.now()) throw new Refused('SIGN_IN_EXPIRED')
    const { expiry } = await app.tenancies.enterById(begun.tenantId, providerFaults.invalidCode, { expired: true })
    const scope = openScope(app.database, begun.tenantId)
    const [client, provider] = await Promise.all([clientOf(scope, begun), getProvider(scope, {})])
    const answer = new URL(`${begun.redirectUri}?${req.url.split('?').slice(1).join('?')}`)
    const claims = await providers.redeem(client, answer, ties, provider.groupsClaim)
    // Nothing is written before their page asks for the session.
    const { met } = await arrive(scope, provider, claims, expiry !== undefined)
    if (typeof met === 'object') throw new Refused(met.error)
    const { subject, email, name, username } = claims
    const { id, issuer, clientId, challenge } = begun
    const until = Date.now() + CODE_MS
    const roles = await rolesGiven(scope, claims)
    return sealNamed(app.sealer, scope.tenantId, {
      ...{ id, issuer, clientId, challenge, subject, email, name, username, roles, until },
    })
  }
}
