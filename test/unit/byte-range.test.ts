import { describe, expect, test } from 'vitest'
import { rangeIn } from '../../src/domains/files/byte-range.rules.ts'

const said = (header: string | undefined, size: number) => {
  try {
    const range = rangeIn(header, size)
    return range ? `${range.first}-${range.last}` : 'all'
  } catch (error) {
    return (error as { headers: Record<string, string> }).headers['content-range']
  }
}

/** @see RFC 9110, sections 14.1.1, 14.1.2 and 14.2 */
describe('of 109 bytes, a Range header asks', () => {
  test.each([
    [undefined, 'all'],
    ['bytes=0-4', '0-4'],
    ['bytes=100-', '100-108'],
    ['bytes=100-99999999999999999999', '100-108'],
    ['bytes=108-108', '108-108'],
    ['bytes=-5', '104-108'],
    ['bytes=-109', '0-108'],
    ['bytes=-110', '0-108'],
    ['bytes=-65557', '0-108'],
    ['bytes=-99999999999999999999', '0-108'],
    ['Bytes=0-4', '0-4'],
    ['bytes= 0-4 ', '0-4'],
    ['bytes=,0-4,', '0-4'],
    ['bytes=109-', 'bytes */109'],
    ['bytes=500-600', 'bytes */109'],
    ['bytes=-0', 'bytes */109'],
    ['bytes=500-,0-4', '0-4'],
    ['bytes=0-4,10-14', 'all'],
    ['bytes=0-4,-5', 'all'],
    ['lines=0-4', 'all'],
    ['0-4', 'all'],
    ['bytes=', 'bytes */109'],
    ['bytes=-', 'bytes */109'],
    ['bytes=--5', 'bytes */109'],
    ['bytes=20-10', 'bytes */109'],
    ['bytes=1-2-3', 'bytes */109'],
    ['bytes=-5-9', 'bytes */109'],
    ['bytes=0x1-5', 'bytes */109'],
    ['bytes=1a-5b', 'bytes */109'],
    ['bytes=1e1-', 'bytes */109'],
    ['bytes=+1-5', 'bytes */109'],
    ['bytes=0 - 4', 'bytes */109'],
    ['bytes=a-b,0-4', 'bytes */109'],
  ])('in %j for %s', (header, expected) => {
    expect(said(header, 109)).toBe(expected)
  })
})
