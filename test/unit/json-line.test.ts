import { describe, expect, test } from 'vitest'
import { openLog } from '../../src/log.ts'
import { onOneLine } from '../../src/util/text/json-line.ts'

/** What `readline` of Node, or `splitlines` of Python, splits. */
const ENDS = /[\v\f\r\u0085\u2028\u2029]/

describe('a line of JSON', () => {
  test.each(['\u0085', '\u2028', '\u2029', '\r', '\v', '\f', '\x1c', '\u2028\u2028 twice'])('holds %j', (character) => {
    const value = { text: `before${character}after`, [character]: 1 }
    const line = onOneLine(JSON.stringify(value))
    expect(line).not.toMatch(ENDS)
    expect(JSON.parse(line)).toEqual(value)
  })

  test('is what each line of the log is', () => {
    const written: string[] = []
    openLog('info', { write: (line) => void written.push(line) }).info({ agent: 'a\u0085b' }, 'c\u2028d')
    expect(written).toEqual([expect.not.stringMatching(ENDS)])
    expect(JSON.parse(written[0]!)).toMatchObject({ agent: 'a\u0085b', msg: 'c\u2028d' })
  })
})
