import { LRUCache } from 'lru-cache'
import type { Configuration, ServerMetadata } from 'openid-client'
import { z } from '#atrium'
import { isSafeAddress } from '../identity-provider.rules.ts'
import { fetchOutside, LIMIT_MS, type Outside } from './outside.ts'

/** How Atrium is known to a provider. */
export interface Client {
  issuer: string
  clientId: string
  clientSecret: string
}

/** What ties an answer of the provider to the browser that asked. */
export interface Ties {
  state: string
  nonce: string
  verifier: string
}

/** What a provider says of somebody. Only the subject identifies them. */
export interface Claims {
  subject: string
  /** only if the provider has verified it */
  email: string | undefined
  name: string | undefined
  username: string | undefined
  /** undefined if there is no claim for groups */
  groups: readonly string[] | undefined
}

/** Why nobody could sign in, as the page learns it. */
export class SignInFailed extends Error {
  override name = 'SignInFailed'
  readonly reason: 'PROVIDER_UNAVAILABLE' | 'SIGN_IN_INVALID' | 'ACCESS_DENIED'
  constructor(reason: SignInFailed['reason'], cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

const MOST_PROVIDERS = 1000
/** For all requests to a provider that one request of a browser needs. */
const LONGEST_MS = 2 * LIMIT_MS
const HOUR_MS = 3600_000
/** Keys that are older than this are read again if a token names one that is not among them. */
const KEYS_SECONDS = 61
const CLOCKS_APART_SECONDS = 60

interface Known {
  metadata: ServerMetadata
  keys?: { jwks: { keys: object[] }; uat: number } | undefined
}
type Library = typeof import('openid-client')

/**
 * Asks providers, and remembers what they say of themselves. After an hour it is read again while it is still used, so no
 * sign-in waits for that, and a provider that is away then is known when it comes back.
 */
export function openProviders(outside: Outside) {
  const ask = fetchOutside(outside)
  const remembered = new LRUCache<string, Known>({
    ...{ max: MOST_PROVIDERS, ttl: HOUR_MS, fetchMethod: discover },
    ...{ allowStale: true, noDeleteOnFetchRejection: true, ignoreFetchAbort: true },
  })
  /** Only who uses a provider loads what talks to it. */
  const load = () => import('openid-client')

  /** Asks a provider what it is, now. @throws Error if it does not answer as one, or calls itself otherwise */
  async function discover(issuer: string): Promise<Known> {
    const library = await load()
    const url = new URL(issuer)
    const config = await library.discovery(url, 'atrium', undefined, library.None(), {
      execute: url.protocol === 'http:' ? [library.allowInsecureRequests] : [],
      timeout: LIMIT_MS / 1000,
      [library.customFetch]: ask,
    })
    const metadata = { ...config.serverMetadata() } as ServerMetadata
    const addresses = [metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri]
    if (!addresses.every((one) => URL.canParse(one ?? '') && isSafeAddress(new URL(one!), outside.isProduction)))
      throw new Error('its addresses are missing or not encrypted')
    if (metadata.issuer !== issuer) throw new Error('it calls itself otherwise')
    return { metadata: JSON.parse(JSON.stringify(metadata)) }
  }

  async function configure(client: Client): Promise<{ library: Library; known: Known; config: Configuration }> {
    const [library, known] = await Promise.all([load(), remembered.forceFetch(client.issuer)]).catch((error) => {
      throw new SignInFailed('PROVIDER_UNAVAILABLE', error)
    })
    const config = new library.Configuration(
      known.metadata,
      client.clientId,
      undefined,
      authenticationOf(library, known.metadata, client.clientSecret),
    )
    if (client.issuer.startsWith('http:')) library.allowInsecureRequests(config)
    library.enableNonRepudiationChecks(config)
    const ends = AbortSignal.timeout(LONGEST_MS)
    config[library.customFetch] = (address, options) =>
      ask(address, { ...options, signal: options.signal ? AbortSignal.any([options.signal, ends]) : ends })
    config.timeout = LIMIT_MS / 1000
    if (known.keys) library.setJwksCache(config, { ...known.keys, uat: known.keys.uat - KEYS_SECONDS } as never)
    return { library, known, config }
  }

  return {
    /** Asks a provider what it is, whether that is remembered or not. @throws Error */
    async check(issuer: string): Promise<void> {
      remembered.set(issuer, await discover(issuer))
    },

    /** Where a browser asks the provider who sits before it. @throws SignInFailed */
    async addressOf(client: Client, redirectUri: string, ties: Ties, groupsClaim: string | null): Promise<URL> {
      const { library, config, known } = await configure(client)
      const scopes = ['openid', 'email', 'profile']
      if (groupsClaim && known.metadata.scopes_supported?.includes(groupsClaim)) scopes.push(groupsClaim)
      return library.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state: ties.state,
        nonce: ties.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(ties.verifier),
        code_challenge_method: 'S256',
      })
    },

    /** Redeems the provider's answer for what it says of somebody. @param answer the address that the browser came to @throws SignInFailed */
    async redeem(client: Client, answer: URL, ties: Ties, groupsClaim: string | null): Promise<Claims> {
      const { library, config, known } = await configure(client)
      try {
        const tokens = await library.authorizationCodeGrant(config, answer, {
          expectedState: ties.state,
          expectedNonce: ties.nonce,
          pkceCodeVerifier: ties.verifier,
          idTokenExpected: true,
        })
        known.keys = library.getJwksCache(config) as never
        const stated = tokens.claims()!
        assertOurs(stated, client.clientId)
        const wanted = ['email', 'name', ...(groupsClaim ? [groupsClaim] : [])]
        const isComplete = wanted.every((claim) => stated[claim] !== undefined)
        const more =
          isComplete || !known.metadata.userinfo_endpoint
            ? {}
            : await library.fetchUserInfo(config, tokens.access_token, stated.sub)
        return claimsOf({ ...more, ...stated }, groupsClaim)
      } catch (error) {
        // A provider may have replaced a key under its old name.
        known.keys = undefined
        throw failureOf(library, error)
      }
    },
  }
}

export type Providers = ReturnType<typeof openProviders>

/** Basic unless the provider only takes the secret in the body. @see OpenID Connect Discovery 1.0, section 3 */
function authenticationOf(
  library: Library,
  { token_endpoint_auth_methods_supported: methods }: ServerMetadata,
  secret: string,
) {
  const isOnlyPosted = methods && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  return isOnlyPosted ? library.ClientSecretPost(secret) : library.ClientSecretBasic(secret)
}

/** What the library leaves open: a party that the token was made for, and a token from the future. */
function assertOurs({ azp, iat }: { azp?: unknown; iat: number }, clientId: string): void {
  if (azp !== undefined && azp !== clientId) throw new SignInFailed('SIGN_IN_INVALID', 'azp')
  if (iat > Date.now() / 1000 + CLOCKS_APART_SECONDS) throw new SignInFailed('SIGN_IN_INVALID', 'iat')
}

/** The standard allows 255 ASCII characters. Some providers name people in other letters, and that does no harm. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,255}$/u

/** As everywhere: other letters could become those of somebody else's address when cases are not told apart. */
const Address = z.email().max(128)

/** @throws SignInFailed if the subject is none that could be stored, or groups are left out */
function claimsOf(said: Record<string, unknown> & { sub?: unknown }, groupsClaim: string | null): Claims {
  const subject = String(said.sub)
  if (!SUBJECT.test(subject)) throw new SignInFailed('SIGN_IN_INVALID', 'sub')
  const text = (name: string) => (typeof said[name] === 'string' ? said[name] : undefined)
  const isVerified = said.email_verified === true || said.email_verified === 'true' || isOwned(said.xms_edov)
  return {
    subject,
    email: isVerified ? Address.safeParse(said.email).data : undefined,
    name: text('name'),
    username: text('preferred_username') ?? text('nickname') ?? text('email'),
    groups: groupsClaim ? groupsOf(said, groupsClaim) : undefined,
  }
}

/** Entra ID says so of addresses whose domain the organization has shown to be its own. */
function isOwned(edov: unknown): boolean {
  return edov === true || edov === 1 || edov === '1'
}

/** Without the claim, somebody is in no group. @throws SignInFailed if the provider leaves out a list that is too long */
function groupsOf(said: Record<string, unknown>, claim: string): string[] {
  const elsewhere = said._claim_names
  if (said[claim] === undefined && typeof elsewhere === 'object' && elsewhere !== null && claim in elsewhere)
    throw new SignInFailed('SIGN_IN_INVALID', 'the groups are too many for a token')
  return [said[claim] ?? []].flat().filter((group): group is string => typeof group === 'string')
}

function failureOf(library: Library, error: unknown): SignInFailed {
  if (error instanceof SignInFailed) return error
  if (error instanceof library.AuthorizationResponseError)
    return new SignInFailed(error.error === 'access_denied' ? 'ACCESS_DENIED' : 'SIGN_IN_INVALID', error)
  if (error instanceof library.ResponseBodyError)
    return new SignInFailed(error.status >= 500 ? 'PROVIDER_UNAVAILABLE' : 'SIGN_IN_INVALID', error)
  return new SignInFailed(isOutage(error) ? 'PROVIDER_UNAVAILABLE' : 'SIGN_IN_INVALID', error)
}

/** Whether the provider did not answer, or with an error of its own. */
function isOutage(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, name, syscall } = at as Error & { code?: string; syscall?: string }
    if (syscall || name === 'TimeoutError' || name === 'AbortError' || name === 'AddressRefused') return true
    if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || code === 'ECONNRESET') return true
    if (at.cause instanceof Response) return at.cause.status >= 500
  }
  return error instanceof Error && error.message.includes('too large')
}
