import { expect, test } from 'vitest'
import { looksLikeKey, maskKeys, readKey, writeKey } from '../../src/kernel/api-key.ts'

test.each([1, 61, 62, 5001, 2 ** 31, Number.MAX_SAFE_INTEGER])(
  'a key of tenant %i is read as it was written',
  (tenantId) => {
    const { key, ...written } = writeKey(tenantId)
    expect(looksLikeKey(key)).toBe(true)
    // As docs/integrations.md tells those who scan for keys.
    expect(key).toMatch(/^atr_[1-9][0-9A-Za-z]{60,68}$/)
    expect(key.startsWith(written.prefix)).toBe(true)
    expect(readKey(key)).toEqual(written)
    expect(written.tenantId).toBe(tenantId)
  },
)

test('no two keys are alike, and no two prefixes', () => {
  const keys = Array.from({ length: 1000 }, () => writeKey(1))
  for (const part of ['key', 'prefix', 'hash'] as const) expect(new Set(keys.map((one) => one[part])).size).toBe(1000)
})

test('the checksum notices each character that is changed, left out or added', () => {
  const { key } = writeKey(42)
  const other = (character: string) => (character === 'x' ? 'y' : 'x')
  for (let at = 4; at < key.length; at++) {
    expect(readKey(key.slice(0, at) + other(key[at]!) + key.slice(at + 1)), `character ${at}`).toBeUndefined()
    expect(readKey(key.slice(0, at) + key.slice(at + 1)), `without ${at}`).toBeUndefined()
  }
  for (const wrong of ['', 'atr_', `${key}0`, `${key}\n`, ` ${key}`, key.toLowerCase(), key.replace('atr_', 'atr-')])
    expect(readKey(wrong), wrong).toBeUndefined()
})

test('what a log shows of a key does not open anything', () => {
  const { key } = writeKey(1)
  expect(maskKeys(`/files/1/${key}?`)).toBe(`/files/1/${key.slice(0, 8)}…?`)
  expect(maskKeys('/files/1/report.txt')).toBe('/files/1/report.txt')
})
