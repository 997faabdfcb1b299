import type { Config, Sealer, TenantId, UserId } from '#atrium'

export interface Subscriber {
  tenantId: TenantId
  userId: UserId
}

const PLACE = 'unsubscribe'

/**
 * The link that stops a person's mail without a sign-in; undefined in production without a PUBLIC_URL, because a link has
 * to lead somewhere. Its key is encrypted, so it names nobody and cannot be guessed.
 */
export function unsubscribeUrl(
  { publicUrl, production, port }: Config,
  sealer: Sealer,
  { tenantId, userId }: Subscriber,
) {
  const base = publicUrl ?? (production ? undefined : `http://localhost:${port}`)
  return base && `${base.replace(/\/$/, '')}/mail/unsubscribe/${sealer.seal(`${tenantId}.${userId}`, PLACE)}`
}

/** Whose key it is; undefined if it is none of ours. */
export function subscriberOf(sealer: Sealer, key: string): Subscriber | undefined {
  try {
    const [tenantId, userId] = sealer.open(key, PLACE).split('.').map(Number)
    return { tenantId: tenantId!, userId: userId! }
  } catch {
    return undefined
  }
}
