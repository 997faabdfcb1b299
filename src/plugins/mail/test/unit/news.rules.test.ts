import { describe, expect, test } from 'vitest'
import { languageOf, mailOf, nextMorning, rangesByPerson } from '../../news/news.rules.ts'

describe('news by mail', () => {
  const verified = '2026-11-22T10:00:00.000Z'
  const cases = ['active', 'disabled'].flatMap((status) =>
    [null, verified].flatMap((deletedAt) =>
      [null, '', 'ada@example.org'].flatMap((email) =>
        [null, verified].flatMap((emailVerifiedAt) =>
          ['at_once', 'daily', 'never'].map((mail) => ({ status, deletedAt, email, emailVerifiedAt, mail })),
        ),
      ),
    ),
  )

  test('go to active people with a verified address, as they want them, and to nobody else', () => {
    const getting = cases.filter((reader) => mailOf(reader) !== undefined)
    const person = { status: 'active', deletedAt: null, email: 'ada@example.org', emailVerifiedAt: verified }
    expect(cases).toHaveLength(72)
    expect(getting.map((reader) => [reader, mailOf(reader)])).toEqual([
      [{ ...person, mail: 'at_once' }, 'at once'],
      [{ ...person, mail: 'daily' }, 'daily'],
    ])
  })

  test.each([
    [null, 'en', 'en'],
    [null, 'zh-CN', 'zh-CN'],
    ['en', 'zh-CN', 'en'],
    ['zh-CN', 'en', 'zh-CN'],
  ] as const)('of a person with %s in a tenant with %s are in %s', (own, ofTenant, language) => {
    expect(languageOf(own, ofTenant)).toBe(language)
  })
})

describe('the next morning', () => {
  test.each([
    ['before eight', '2026-11-22T07:59:59Z', 'UTC', '2026-11-22T08:10:00Z'],
    ['with the reminders of eight', '2026-11-22T08:00:30Z', 'UTC', '2026-11-22T08:10:00Z'],
    ['at its own moment', '2026-11-22T08:10:00Z', 'UTC', '2026-11-23T08:10:00Z'],
    ['in the evening', '2026-11-22T20:00:00Z', 'UTC', '2026-11-23T08:10:00Z'],
    ['in the east, where it is the next day', '2026-11-22T20:00:00Z', 'Asia/Shanghai', '2026-11-23T00:10:00Z'],
    ['in the west', '2026-11-22T20:00:00Z', 'America/New_York', '2026-11-23T13:10:00Z'],
    ['at a quarter from the hour', '2026-11-22T12:00:00Z', 'Asia/Kathmandu', '2026-11-23T02:25:00Z'],
    ['before the clocks go forward', '2026-03-28T12:00:00Z', 'Europe/Berlin', '2026-03-29T06:10:00Z'],
    ['before they go back', '2026-10-24T12:00:00Z', 'Europe/Berlin', '2026-10-25T07:10:00Z'],
  ])('%s', (_, now, timeZone, morning) => {
    expect(new Date(nextMorning(Date.parse(now), timeZone))).toEqual(new Date(morning))
  })

  test('is found in every time zone', () => {
    const now = Date.parse('2026-11-22T12:34:56Z')
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const wait = nextMorning(now, zone) - now
      expect(wait, zone).toBeGreaterThan(0)
      expect(wait, zone).toBeLessThanOrEqual(25 * 3_600_000)
    }
  })
})

test('the notifications of each person are one range', () => {
  const rows = [
    { id: 3, receiverId: 7 },
    { id: 4, receiverId: 8 },
    { id: 9, receiverId: 7 },
  ]
  expect(rangesByPerson(rows)).toEqual([
    { person: rows[0], newsFrom: 3, newsTo: 9 },
    { person: rows[1], newsFrom: 4, newsTo: 4 },
  ])
})
