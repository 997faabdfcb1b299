import type { User } from '#atrium'

/** Who signs in or calls, as far as their duties depend on it. */
export interface Bound {
  /** Services have neither a password nor a second factor, so nothing of either is asked of them. */
  kind: 'person' | 'service'
  mustChangePassword: boolean
  hasSecondFactor: boolean
  /** what their tenant has set */
  secondFactor: 'optional' | 'required'
}

/** What somebody has to do before anything else: first the password, then the second factor. */
export function dutyOf({ kind, mustChangePassword, hasSecondFactor, secondFactor }: Bound): User['duty'] {
  if (kind === 'service') return undefined
  if (mustChangePassword) return 'change-password'
  return secondFactor === 'required' && !hasSecondFactor ? 'add-second-factor' : undefined
}
