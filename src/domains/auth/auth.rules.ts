import { port, type Scope, type Sealer, type Tx, type User } from '#atrium'

/** A person who calls, as far as their duties depend on it. */
export interface Bound {
  mustChangePassword: boolean
  hasSecondFactor: boolean
  /** with what their session was opened */
  openedWith: 'password' | 'provider'
  /** what their tenant has set */
  secondFactor: 'optional' | 'required'
}

/** A sign-in with a known password, and what it is decided on. */
export interface Claimed {
  /** the password is right, and the person is active */
  isProven: boolean
  isExpired: boolean
  /** the tenant's people sign in at its identity provider, and this person is no exception */
  isForbidden: boolean
  isAdministrator: boolean
  hasSecondFactor: boolean
  /** undefined if none was sent */
  code: 'right' | 'wrong' | undefined
}

/** A refused sign-in counts as a failed one; a person whose password is right may be asked for a code. */
export function decideSignIn(claimed: Claimed): 'enter' | 'ask for a code' | 'refuse' {
  const { isProven, isExpired, isForbidden, isAdministrator, hasSecondFactor, code } = claimed
  if (!isProven || isForbidden || (isExpired && !isAdministrator)) return 'refuse'
  if (!hasSecondFactor || code === 'right') return 'enter'
  return code === undefined ? 'ask for a code' : 'refuse'
}

/**
 * What somebody has to do before anything else: first the password, then the second factor. Of people who have signed in at
 * an identity provider, the provider has asked both.
 */
export function dutyOf(bound: Bound): User['duty'] {
  const { mustChangePassword, hasSecondFactor, openedWith, secondFactor } = bound
  if (openedWith === 'provider') return undefined
  if (mustChangePassword) return 'change-password'
  return secondFactor === 'required' && !hasSecondFactor ? 'add-second-factor' : undefined
}

/** What a refresh token shows that has not expired. */
export interface Presented {
  /** the person may sign in */
  isActive: boolean
  /** it was used, and not only just now */
  isSpent: boolean
  /** when its session was last continued */
  continuedAt: string
  /** when it was opened */
  createdAt: string
}

/**
 * For how long sessions last now after they were continued, and after they were opened, in seconds; and since when they must
 * have been continued to be open at all.
 */
export interface Lasting {
  ttl: number
  /** 0: without end */
  lifetime: number
  since: string | null
}

/**
 * Whether a session goes on. It ends if its token was copied, if it was opened too long ago, or if it has not been continued for
 * as long as its tenant has set by now; a longer time does not bring back what has ended.
 */
export function decideContinuation(
  { isActive, isSpent, continuedAt, createdAt }: Presented,
  { ttl, lifetime, since }: Lasting,
  now: string,
): 'continue' | 'end' | 'refuse' {
  if (!isActive) return 'refuse'
  const last = Date.parse(continuedAt)
  const isOver = Date.parse(now) - last >= ttl * 1000 || (since !== null && last < Date.parse(since))
  const isOld = lifetime > 0 && Date.parse(now) - Date.parse(createdAt) >= lifetime * 1000
  return isSpent || isOver || isOld ? 'end' : 'continue'
}

/** What a right code proves, until it is used: the time step of a code, or the hash of a recovery code. */
export type Proof = { step: number; sealed: string } | { codeHash: string }

/** What sign-in needs from the domain that keeps second factors. */
export interface SecondFactors {
  /** Whether the code is right and has not been used yet. It stays unused. */
  check(scope: Scope, sealer: Sealer, userId: number, code: string): Promise<Proof | undefined>
  /** Uses up what was checked. @returns false if another sign-in was faster */
  use(tx: Tx<any>, userId: number, proof: Proof): Promise<boolean>
}

export const secondFactors = port<SecondFactors>('second factors', {
  check: async () => undefined,
  use: async () => false,
})

/** What sign-in needs from the domain that knows the tenant's identity provider. */
export interface Passwords {
  /** Whether a person may not use a password, because they sign in at the provider; without an id, a stranger. */
  areForbidden(scope: Scope, userId?: number): Promise<boolean>
}

export const passwords = port<Passwords>('whether people sign in with a password', {
  areForbidden: async () => false,
})
