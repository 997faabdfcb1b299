/** A time-based one-time password as every authenticator app makes it. @see RFC 6238 */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 }
/** Clocks of phones may be a step away. */
const WINDOW = 1

/** Loads the library when the first person uses a second factor; load it before a transaction begins. */
export async function loadTotp() {
  const { TOTP, Secret } = await import('otpauth')
  return {
    /** A new secret, in base32. */
    newSecret: () => new Secret().base32,
    /** What a QR code of the secret contains. */
    urlOf: (secret: string, issuer: string, label: string) =>
      new TOTP({ ...SHAPE, secret, issuer: part(issuer), label: part(label) }).toString(),
    /** The time step whose code this is, at most one away from `now`, in ms since 1970; undefined for a wrong code. */
    stepOf(secret: string, code: string, now: number): number | undefined {
      const totp = new TOTP({ ...SHAPE, secret })
      const away = totp.validate({ token: code, timestamp: now, window: WINDOW })
      return away === null ? undefined : totp.counter({ timestamp: now }) + away
    },
  }
}
export type Totp = Awaited<ReturnType<typeof loadTotp>>

/**
 * One colon separates the issuer from the account; apps that meet a second one refuse the code or show wrong halves.
 * @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
function part(text: string): string {
  return text.replaceAll(':', '')
}
