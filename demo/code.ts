import { Secret, TOTP } from 'otpauth'
import { SECOND_FACTOR } from './companies.ts'

const STEP_MS = 30_000

/** The code of the demo's second factor. @param away steps from the current one */
export function codeNow(away = 0): string {
  return new TOTP({ secret: Secret.fromBase32(SECOND_FACTOR) }).generate({ timestamp: Date.now() + away * STEP_MS })
}
