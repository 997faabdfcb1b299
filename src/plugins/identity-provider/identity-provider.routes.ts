import { type DomainRoutes, type FastifyRequest, z } from '#atrium'
import { roleFaults } from '#atrium/roles'
import { callbackRoutes } from './callback.routes.ts'
import { isSafeAddress, providerFaults } from './identity-provider.rules.ts'
import { ProviderDraft, ProviderView } from './identity-provider.schemas.ts'
import { getProvider, listGroups } from './identity-provider.store.ts'
import { openProviders } from './protocol/client.ts'
import { forgetProvider, nameProvider, namesProvider, shown } from './provider.actions.ts'
import { signInRoutes } from './sign-in.routes.ts'
import { redirectUriOf } from './sign-in.steps.ts'

/** The identity provider of a tenant, and the sign-in at it. */
export const identityProviderRoutes: DomainRoutes = async (app, { config }) => {
  const providers = openProviders({
    isProduction: config.production,
    isPrivateAllowed: !config.production || config.oidcPrivateAddresses,
  })
  await app.register(signInRoutes, { config, providers })
  await app.register(callbackRoutes, { config, providers })

  app.get(
    '/tenant/identity-provider',
    {
      config: { access: 'settings:manage' },
      schema: {
        operationId: 'getIdentityProvider',
        summary: 'Read the identity provider of the tenant',
        description: 'Without its secret.',
        sends: ['ETag'],
        response: { 200: ProviderView },
        refuses: [providerFaults.notFound],
      },
    },
    async (req, reply) => {
      const [provider, groups] = await Promise.all([getProvider(req.scope, {}), listGroups(req.scope, {})])
      reply.versioned({ id: req.scope.tenantId, version: provider.version })
      return { ...shown(provider, groups), redirectUri: redirectUriOf(config, req, addressee(req, provider)) }
    },
  )

  app.put(
    '/tenant/identity-provider',
    {
      config: { access: 'settings:manage', versionIn: 'nowhere', ofTenant: true },
      schema: {
        operationId: 'saveIdentityProvider',
        summary: 'Name the identity provider of the tenant',
        description:
          'An OpenID Connect provider, which is asked what it is whenever `issuer`, `clientId` or `clientSecret` is sent. Omitted fields stay; another issuer or client needs its own secret. `groupRoles` replaces the mapping; only holders of all permissions of its roles can save it. `passwordSignIn: forbidden` refuses passwords to everybody but the system administrator and, until one of them has signed in at the provider, the administrators.',
        body: ProviderDraft,
        response: { 200: ProviderView },
        refuses: [providerFaults.unreachable, roleFaults.notFound, providerFaults.changed],
      },
    },
    async (req, reply) => {
      await assertProvider(req, req.body)
      const saved = await req.transact((tx) => nameProvider(tx, req.body, req))
      reply.versioned({ id: req.scope.tenantId, version: saved.version })
      return { ...saved, redirectUri: redirectUriOf(config, req, addressee(req, saved)) }
    },
  )

  app.delete(
    '/tenant/identity-provider',
    {
      config: { access: 'settings:manage', versionIn: 'nowhere', ofTenant: true },
      schema: {
        operationId: 'deleteIdentityProvider',
        summary: 'Take the identity provider from the tenant',
        description: 'People then sign in with passwords; those who have none ask for one by mail. Sessions go on.',
        response: { 200: z.null() },
        refuses: [providerFaults.notFound],
      },
    },
    (req) => req.transact((tx) => forgetProvider(tx, req)),
  )

  /** The tenant that an address of its own names. */
  const addressee = ({ tenant }: FastifyRequest, { ownRedirect }: { ownRedirect: boolean }) =>
    ownRedirect ? tenant!.code : undefined

  /** Asks the provider that a draft names. The refusal does not depend on what is at the address. @throws PROVIDER_UNREACHABLE */
  async function assertProvider(req: FastifyRequest, draft: ProviderDraft): Promise<void> {
    if (!namesProvider(draft)) return
    const issuer = draft.issuer ?? (await getProvider(req.scope, {})).issuer
    const unreachable = providerFaults.unreachable([{ path: 'body.issuer', message: 'must be that of the discovery' }])
    if (!isSafeAddress(new URL(issuer), config.production)) throw unreachable
    await providers.check(issuer).catch((error: Error) => {
      req.log.warn({ requestId: req.id, tenantId: req.tenant?.id, issuer, err: String(error) }, 'no identity provider')
      throw unreachable
    })
  }
}
