import { describe, expect, test } from 'vitest'
import { every } from '#test/every.ts'
import { mailOf, nextMorning } from '../../news/news.rules.ts'

describe('news by mail', () => {
  const verified = '2026-11-22T10:00:00.000Z'
  const moments = [null, verified]
  const cases = every({
    ...{ status: ['active', 'disabled'], deletedAt: moments, email: [null, '', 'ada@example.org'] },
    ...{ emailVerifiedAt: moments, mail: ['at_once', 'daily', 'never'] },
  })

  test('go to active people with a verified address, as they want them, and to nobody else', () => {
    const getting = cases.filter((reader) => mailOf(reader) !== undefined)
    const person = { status: 'active', deletedAt: null, email: 'ada@example.org', emailVerifiedAt: verified }
    expect(cases).toHaveLength(72)
    expect(getting.map((reader) => [reader, mailOf(reader)])).toEqual([
      [{ ...person, mail: 'at_once' }, 'at once'],
      [{ ...person, mail: 'daily' }, 'daily'],
    ])
  })
})

describe('the next morning', () => {
  test.each([
    ['with the reminders of eight', '2026-11-22T08:00:30Z', 'UTC', '2026-11-22T08:10:00Z'],
    ['at its own moment', '2026-11-22T08:10:00Z', 'UTC', '2026-11-23T08:10:00Z'],
    ['in the east, where it is the next day', '2026-11-22T20:00:00Z', 'Asia/Shanghai', '2026-11-23T00:10:00Z'],
    ['in the west', '2026-11-22T20:00:00Z', 'America/New_York', '2026-11-23T13:10:00Z'],
    ['before the clocks go forward', '2026-03-28T12:00:00Z', 'Europe/Berlin', '2026-03-29T06:10:00Z'],
    ['before they go back', '2026-10-24T12:00:00Z', 'Europe/Berlin', '2026-10-25T07:10:00Z'],
  ])('%s', (_, now, timeZone, morning) => {
    expect(new Date(nextMorning(Date.parse(now), timeZone))).toEqual(new Date(morning))
  })
})
