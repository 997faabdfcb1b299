import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts what has to be used again: secrets of second factors, of webhooks, links in mail that waits. */
export interface Sealer {
  /**
   * Encrypts a text with the newest key. `place` says where it is stored, such as `webhooks 5/7`: moved to another place,
   * it cannot be opened.
   */
  seal(text: string, place: string): string
  /** The text. @throws UnknownKey if no configured key opens it, or it belongs elsewhere */
  open(sealed: string, place: string): string
  /** Whether it was sealed with an older key, so it should be sealed again before that key is removed. */
  isOld(sealed: string): boolean
  /** What sealed texts call the keys that open them, the newest first: the second part of `s1.5f2b6c1d9e3a.…`. */
  readonly keyNames: readonly string[]
}

/** No configured key opens a sealed text. The message names its place, and nothing of what it says. */
export class UnknownKey extends Error {
  override name = 'UnknownKey'
}

const VERSION = 's1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM (NIST SP 800-38D) with a key for each configured secret by HKDF (RFC 5869). The first secret seals, all of
 * them open.
 */
export function sealWith(secrets: readonly [string, ...string[]]): Sealer {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'atrium seal', 32)))
  const names = secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'atrium seal name', 6)).toString('hex'),
  )
  return {
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keys[0]!, nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}.${names[0]}.${body.toString('base64url')}`
    },
    open(sealed, place) {
      const [version, name, text = ''] = sealed.split('.')
      const key = keys[names.indexOf(name!)]
      if (version !== VERSION || !key) throw new UnknownKey(`No configured key opens ${place}`)
      const body = Buffer.from(text, 'base64url')
      if (body.length < NONCE_BYTES + TAG_BYTES || body.toString('base64url') !== text)
        throw new UnknownKey(`${place} is cut off or changed`)
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(body.subarray(-TAG_BYTES))
      try {
        return decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new UnknownKey(`${place} was changed, or belongs elsewhere`)
      }
    },
    isOld: (sealed) => sealed.split('.')[1] !== names[0],
    keyNames: names,
  }
}
