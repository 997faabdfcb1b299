import { expect, test, vi } from 'vitest'
import { clocksOf, isTimeToRemind } from '../../reminders.rules.ts'

const clock = (timeZone: string, instant: string) => clocksOf(timeZone)(new Date(instant))

test.each([
  ['UTC', '2026-11-22T07:59:59Z', '2026-11-22', 7],
  ['UTC', '2026-11-22T08:00:00Z', '2026-11-22', 8],
  ['Asia/Shanghai', '2026-11-21T23:59:00Z', '2026-11-22', 7],
  ['America/Los_Angeles', '2026-11-22T07:30:00Z', '2026-11-21', 23],
  ['Asia/Kathmandu', '2026-11-22T02:15:00Z', '2026-11-22', 8],
  ['Pacific/Kiritimati', '2026-12-31T18:00:00Z', '2027-01-01', 8],
  // Central European Summer Time begins on 29 March and ends on 25 October 2026.
  ['Europe/Berlin', '2026-03-29T05:59:59Z', '2026-03-29', 7],
  ['Europe/Berlin', '2026-03-29T06:00:00Z', '2026-03-29', 8],
  ['Europe/Berlin', '2026-10-25T06:59:59Z', '2026-10-25', 7],
  ['Europe/Berlin', '2026-10-25T07:00:00Z', '2026-10-25', 8],
])('in %s the clocks show at %s the day %s and the hour %i', (timeZone, instant, day, hour) => {
  expect(clock(timeZone, instant)).toEqual({ day, hour })
})

test('the clocks of UTC do not load Intl, which takes memory of every service that is idle', () => {
  const format = vi.spyOn(Intl, 'DateTimeFormat')
  clock('UTC', '2026-11-22T08:00:00Z')
  expect(format).not.toHaveBeenCalled()
  clock('Asia/Shanghai', '2026-11-22T08:00:00Z')
  expect(format).toHaveBeenCalled()
  format.mockRestore()
})

test('each day of a year has one first minute to remind in, also where the clocks change', () => {
  const days: string[] = []
  // By half an hour.
  const clocks = clocksOf('Australia/Lord_Howe')
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 30 * 60_000) {
    const now = clocks(new Date(at))
    if (isTimeToRemind(now) && days.at(-1) !== now.day) days.push(now.day)
  }
  expect(new Set(days).size).toBe(days.length)
  expect(days.length).toBeGreaterThanOrEqual(365)
})
