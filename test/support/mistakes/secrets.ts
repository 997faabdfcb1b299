import type { Breach } from '../exceptions.ts'

const SOUNDS_SECRET =
  /secret|token|hash|sealed|password|cipher|salt|nonce|verifier|signature|otp|mark$|(^|_)(key|pin|pass(code|phrase)?|credentials?|cvc|cvv|seed)(s?$|_)/
/** What opens a door is called a code, as are names of things. */
const OPENS =
  /(^|_)(access|alarm|door|entry|gate|lock|safe)s?(_codes?)?\.(code|digits|number|value)$|(access|alarm|door|entry|gate|lock|safe)_(code|digits)$/

/**
 * Columns that sound like a secret and leave with the data of their tenant.
 * @param columns `api_keys.key_hash`
 */
export function findSecretsThatLeave(columns: readonly string[], isWithheld: (column: string) => boolean): Breach[] {
  return columns
    .filter((column) => SOUNDS_SECRET.test(column.split('.')[1]!) || OPENS.test(column))
    .filter((column) => !isWithheld(column))
    .map((column) => ({
      place: column,
      says: `${column} sounds like a secret and leaves with the data of its tenant: let its migration keep it back: protect('${column.split('.')[0]}', facts => '{"withheld": true}')`,
    }))
}
