import { createHash, randomBytes } from 'node:crypto'

const TOKEN = /^([1-9]\d{0,15})\.[A-Za-z0-9_-]{43}$/

/** A secret of 256 random bits. It begins with its tenant, so that its row can be found: `7.q8Zt…`. */
export function drawToken(tenantId: number): string {
  return `${tenantId}.${randomBytes(32).toString('base64url')}`
}

/** The tenant of a token; undefined for any other text. */
export function tenantOfToken(token: string): number | undefined {
  const [, tenantId] = TOKEN.exec(token) ?? []
  return tenantId === undefined ? undefined : Number(tenantId)
}

/** How a token is stored. It is 256 random bits, so a plain hash is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
