import { type Config, type FastifyInstance, type FastifyRequest, Fault, type Scope, z } from '#atrium'
import { findClient } from './identity-provider.store.ts'
import { type Client, type Providers, SignInFailed } from './protocol/client.ts'
import type { Begun } from './protocol/tickets.ts'
import { placeOf } from './provider.actions.ts'

export interface SignInParts {
  config: Config
  providers: Providers
}

export const CALLBACK = '/auth/oidc/callback'
export const REDIRECT = { description: 'Leads the browser on', content: { 'text/plain': { schema: z.any() } } }

/** Of each kind of request of a sign-in, for each network. */
export function limitOf({ refreshLimit }: Config, kind: 'methods' | 'start' | 'callback' | 'exchange') {
  return { name: `provider-${kind}`, most: refreshLimit, windowMs: 60_000 }
}

/** What both halves of a sign-in do: before the provider and after it. */
export function openSteps(app: FastifyInstance, config: Config) {
  return { clientOf, pageOf, reasonOf }

  /** The provider that a sign-in has begun at, if it is still that of the tenant. @throws SignInFailed */
  async function clientOf(scope: Scope, begun: Begun): Promise<Client> {
    const client = await findClient(scope, {})
    if (client?.issuer !== begun.issuer || client.clientId !== begun.clientId)
      throw new SignInFailed('SIGN_IN_INVALID', 'the tenant has another provider now')
    try {
      return { ...client, clientSecret: app.sealer.open(client.clientSecret, placeOf(scope.tenantId)) }
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

/** Atrium itself refuses somebody whom the provider has named. The message is the reason. */
export class Refused extends Error {}

/**
 * Where the provider leads browsers. A Host that is not ours only misleads its own sender, and no provider knows it.
 * @param tenantCode if the tenant has an address of its own
 */
export function redirectUriOf(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { protocol, host }: FastifyRequest,
  tenantCode?: string,
): string {
  const origin = publicUrl?.replace(/\/$/, '') ?? `${protocol}://${host}`
  return `${origin}/api/v1${CALLBACK}${tenantCode ? `/${tenantCode}` : ''}`
}
