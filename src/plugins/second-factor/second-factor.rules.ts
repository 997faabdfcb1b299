import { randomInt } from 'node:crypto'
import { type Detail, fault, faults, hashToken, notFound } from '#atrium'
import { type Authority, assertCovers, type RoleHeld } from '#atrium/roles'

export const secondFactorFaults = {
  notFound: notFound('Second factor'),
  exists: fault('SECOND_FACTOR_EXISTS', 409, 'Your account has a second factor; remove it first'),
  wrongCode: fault('WRONG_CODE', 400, 'The code is wrong or was used already'),
  reserved: fault('RESERVED', 409, 'The system administrator stays as they are'),
}

/** Without I, L, O and U, which are taken for others or spell words. @see https://www.crockford.com/base32.html */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Five bits each: 80 bits cannot be guessed from their hash. */
const LENGTH = 16
const HOW_MANY = 10

/** Codes for people who have lost their phone, each of which works once: `7K3M-…`, in four groups. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: HOW_MANY }, () => {
    const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    return code.match(/.{4}/g)!.join('-')
  })
}

/** What somebody typed: six digits of an app, a recovery code however it is written, or nothing of either. */
export function readCode(typed: string): { digits: string } | { recovery: string } | undefined {
  const text = typed.replace(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(text)) return { digits: text }
  const recovery = text.replaceAll('O', '0').replace(/[IL]/g, '1')
  return recovery.length === LENGTH && [...recovery].every((letter) => LETTERS.includes(letter))
    ? { recovery }
    : undefined
}

/** What is stored of a recovery code, another for each person. @param recovery as `readCode` returns it */
export function hashRecoveryCode(recovery: string, tenantId: number, userId: number): string {
  return hashToken(`${tenantId}/${userId} ${recovery}`)
}

/** Where the secret of a person is stored, for the sealer. */
export function placeOf(tenantId: number, userId: number): string {
  return `second_factors ${tenantId}/${userId}`
}

/** A person whose second factor is taken off by somebody. */
export interface Locked {
  roles: readonly RoleHeld[]
  isActor: boolean
  holdsOffice: boolean
}

/**
 * Only somebody who holds all rights of a person takes their second factor off. One's own needs the password, and that of
 * the system administrator the command line. @throws PERMISSION_DENIED, RESERVED
 */
export function assertMayTakeOff({ roles, isActor, holdsOffice }: Locked, authority: Authority): void {
  const own: Detail = { path: 'id', message: 'your own is removed with your password' }
  if (isActor) throw faults.permissionDenied([own])
  assertCovers(authority, roles, 'id')
  if (holdsOffice) throw secondFactorFaults.reserved()
}
