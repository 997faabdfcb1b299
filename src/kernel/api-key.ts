import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { TenantId } from './actor.ts'

/**
 * The key of a service account: `atr_`, the tenant, ten random characters, 43 more that carry 256 random bits, and six
 * characters of checksum, all of the alphabet 0-9A-Za-z. The part before the secret is the prefix: it finds the key and
 * may be shown. The checksum lets a scanner for leaked secrets recognize a key without asking anyone.
 * @see https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export interface WrittenKey {
  tenantId: TenantId
  /** with `atr_`; unique in all tenants */
  prefix: string
  /** SHA-256 of the whole text, in base64url */
  hash: string
}

const MARK = 'atr_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const [PLACE, SECRET, CHECKSUM] = [10, 43, 6]
/** One digit says how long the tenant's number is. */
const FORM = /^atr_([1-9])([0-9A-Za-z]{1,9})[0-9A-Za-z]{59}$/

/** Whether a credential claims to be a key. No other token begins like one. */
export function looksLikeKey(credential: string): boolean {
  return credential.startsWith(MARK)
}

/** Writes a new key. */
export function writeKey(tenantId: TenantId): WrittenKey & { key: string } {
  const tenant = digits(BigInt(tenantId), 1)
  const prefix = `${MARK}${tenant.length}${tenant}${randomDigits(8, PLACE)}`
  const text = `${prefix}${randomDigits(32, SECRET)}`
  const key = `${text}${checksumOf(text)}`
  return { key, tenantId, prefix, hash: hashOf(key) }
}

/** Reads a key; undefined for a text that none can be, which costs no question to the database. */
export function readKey(key: string): WrittenKey | undefined {
  const [, length, rest] = FORM.exec(key) ?? []
  if (!length || rest!.length !== Number(length)) return undefined
  const text = key.slice(0, -CHECKSUM)
  if (checksumOf(text) !== key.slice(-CHECKSUM)) return undefined
  const tenantId = numberOf(rest!)
  if (!Number.isSafeInteger(tenantId) || tenantId < 1 || rest!.startsWith('0')) return undefined
  return { tenantId, prefix: text.slice(0, -SECRET), hash: hashOf(key) }
}

/** Compares hashes in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Replaces the secret part of each key in a text, for a log or an audit that shows what a client has sent. */
export function maskKeys(text: string): string {
  return text.includes(MARK) ? text.replace(/(atr_[0-9A-Za-z]{4})[0-9A-Za-z]{36,}/g, '$1…') : text
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

function checksumOf(text: string): string {
  return digits(BigInt(crc32(text)), CHECKSUM)
}

function randomDigits(bytes: number, length: number): string {
  return digits(BigInt(`0x${randomBytes(bytes).toString('hex')}`), length).slice(-length)
}

function digits(value: bigint, least: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text
  return text.padStart(least, '0')
}

function numberOf(text: string): number {
  return [...text].reduce((value, digit) => value * 62 + ALPHABET.indexOf(digit), 0)
}
