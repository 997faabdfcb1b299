import { describe, expect, test } from 'vitest'
import { type Verdict, weigh } from '../../src/util/text/entity-tags.ts'

const etag = '"abc"'
const file = { etag, modifiedAt: '2026-11-21T09:00:00.500Z' }
const before = 'Sat, 21 Nov 2026 08:59:59 GMT'
const then = 'Sat, 21 Nov 2026 09:00:00 GMT'
const later = 'Sat, 21 Nov 2026 09:00:01 GMT'

const CASES: [Record<string, string>, Verdict][] = [
  [{}, 'part'],
  [{ 'if-none-match': etag }, 'not modified'],
  [{ 'if-none-match': `W/${etag}` }, 'not modified'],
  [{ 'if-none-match': `"x", ${etag}` }, 'not modified'],
  [{ 'if-none-match': '*' }, 'not modified'],
  [{ 'if-none-match': '"x"' }, 'part'],
  [{ 'if-none-match': 'abc' }, 'part'],
  [{ 'if-modified-since': then }, 'not modified'],
  [{ 'if-modified-since': later }, 'not modified'],
  [{ 'if-modified-since': before }, 'part'],
  [{ 'if-modified-since': 'yesterday' }, 'part'],
  [{ 'if-none-match': '"x"', 'if-modified-since': then }, 'part'],
  [{ 'if-match': etag }, 'part'],
  [{ 'if-match': '*' }, 'part'],
  [{ 'if-match': '"x"' }, 'failed'],
  [{ 'if-match': `W/${etag}` }, 'failed'],
  [{ 'if-unmodified-since': then }, 'part'],
  [{ 'if-unmodified-since': before }, 'failed'],
  [{ 'if-unmodified-since': 'never' }, 'part'],
  [{ 'if-match': etag, 'if-unmodified-since': before }, 'part'],
  [{ 'if-match': etag, 'if-none-match': etag }, 'not modified'],
  [{ 'if-range': etag }, 'part'],
  [{ 'if-range': `W/${etag}` }, 'whole'],
  [{ 'if-range': '"x"' }, 'whole'],
  [{ 'if-range': then }, 'part'],
  [{ 'if-range': later }, 'whole'],
]

describe('a conditional request', () => {
  test.each(CASES)('%j: %s', (headers, verdict) => {
    expect(weigh(headers, file)).toBe(verdict)
  })
})
