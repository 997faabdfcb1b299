import { createHmac, randomBytes } from 'node:crypto'
import { type FastifyRequest, hashToken, isSameHash, type Sealer, type TenantId, z } from '#atrium'
import type { Ties } from './client.ts'

/** A sign-in that has begun, as it travels through the provider: sealed, and of use in one browser only. */
const Begun = z.object({
  /** names this sign-in */
  id: z.string(),
  tenantId: z.number(),
  issuer: z.string(),
  clientId: z.string(),
  returnTo: z.string(),
  redirectUri: z.string(),
  /** the hash of the browser's cookie */
  browser: z.string(),
  /** what the page that began has the verifier of; missing if it sent none */
  challenge: z.string().optional(),
  /** ms since 1970 */
  until: z.number(),
})
export type Begun = z.output<typeof Begun>

/** Somebody whom the provider has named, as the page takes them to their session. */
const Named = z.object({
  /** of the sign-in */
  id: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  subject: z.string(),
  email: z.string().optional(),
  name: z.string().optional(),
  username: z.string().optional(),
  /** ids of the roles that their groups give; missing if groups give none */
  roles: z.array(z.number()).optional(),
  challenge: z.string().optional(),
  until: z.number(),
})
export type Named = z.output<typeof Named>

const STATE = 'sign-in state'
const CODE = 'sign-in code'

export function sealBegun(sealer: Sealer, begun: Begun): string {
  return sealer.seal(JSON.stringify(begun), STATE)
}

/** The sign-in of a state; undefined for a text that this service has not sealed. */
export function openBegun(sealer: Sealer, state: string): Begun | undefined {
  return opened(sealer, state, STATE, Begun)
}

/** The code begins with its tenant, so that its sign-in can be found: `7.s1.…`. */
export function sealNamed(sealer: Sealer, tenantId: TenantId, named: Named): string {
  return `${tenantId}.${sealer.seal(JSON.stringify(named), `${CODE} ${tenantId}`)}`
}

/** The tenant and the person of a code; undefined for any other text. */
export function openNamed(sealer: Sealer, code: string): { tenantId: TenantId; named: Named } | undefined {
  const [, tenant, sealed] = /^([1-9]\d{0,15})\.(.+)$/.exec(code) ?? []
  const named = sealed && opened(sealer, sealed, `${CODE} ${tenant}`, Named)
  return named ? { tenantId: Number(tenant), named } : undefined
}

function opened<Shape extends z.ZodType>(sealer: Sealer, sealed: string, place: string, shape: Shape) {
  try {
    return shape.parse(JSON.parse(sealer.open(sealed, place)))
  } catch {
    return undefined
  }
}

const COOKIE = 'atrium-sign-in'
const SECRET = /^[A-Za-z0-9_-]{43}$/
/** How long somebody may take at the provider. */
export const SIGN_IN_SECONDS = 600

/** In production, a browser only takes it from this host, encrypted, and no other host can set it. */
function cookieName(isProduction: boolean): string {
  return isProduction ? `__Host-${COOKIE}` : COOKIE
}

/** The browser's secret, if it has one. Several sign-ins of one browser share it. */
export function browserOf({ headers }: FastifyRequest, isProduction: boolean): string | undefined {
  const begin = `${cookieName(isProduction)}=`
  const found = headers.cookie?.split(/;\s*/).find((one) => one.startsWith(begin))
  const secret = found?.slice(begin.length) ?? ''
  return SECRET.test(secret) ? secret : undefined
}

export function drawSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Lax, because the way back from the provider begins on another site. */
export function cookieOf(secret: string, isProduction: boolean): string {
  const ends = `Path=/; Max-Age=${SIGN_IN_SECONDS}; HttpOnly; SameSite=Lax`
  return `${cookieName(isProduction)}=${secret}; ${ends}${isProduction ? '; Secure' : ''}`
}

/**
 * Whether the page that exchanges a code is the one that began the sign-in (RFC 7636, 4.6). A page that has a verifier began
 * with a challenge, so a code without one is not its own (RFC 9700, 4.8.2).
 */
export function isOfPage({ challenge }: Pick<Named, 'challenge'>, verifier: string | undefined): boolean {
  return challenge === (verifier && hashToken(verifier))
}

export function isOfBrowser({ browser }: Begun, secret: string | undefined): boolean {
  return secret !== undefined && isSameHash(hashToken(secret), browser)
}

/** The nonce and the verifier are derived, so they are neither stored nor sent, and another browser has others. */
export function tiesOf(secret: string, { id }: Pick<Begun, 'id'>, state: string): Ties {
  const derive = (what: string) => createHmac('sha256', secret).update(`${what} ${id}`).digest('base64url')
  return { state, nonce: derive('nonce'), verifier: derive('verifier') }
}
