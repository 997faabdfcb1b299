import { expect, test } from 'vitest'
import { dayAfter, startOfDay } from '../../start-of-day.ts'

test.each([
  ['2026-12-21', 'Europe/Berlin', '2026-12-20T23:00:00.000Z'],
  ['2026-12-21', 'Pacific/Kiritimati', '2026-12-20T10:00:00.000Z'],
  ['2026-12-21', 'Asia/Kathmandu', '2026-12-20T18:15:00.000Z'],
])('%s begins in %s at %s', (day, timeZone, instant) => expect(startOfDay(day, timeZone)).toBe(instant))

test('the days around a change of the clock have 23 and 25 hours', () => {
  const hoursOf = (day: string) =>
    (Date.parse(startOfDay(dayAfter(day), 'Europe/Berlin')) - Date.parse(startOfDay(day, 'Europe/Berlin'))) / 3600_000
  expect(['2026-03-28', '2026-03-29', '2026-10-25'].map(hoursOf)).toEqual([24, 23, 25])
})

test('a day without a midnight begins with its first hour, and one that never was with the next one', () => {
  // Clocks went from 0:00 to 1:00, and Samoa over the date line.
  expect(startOfDay('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z')
  expect(startOfDay('2011-12-30', 'Pacific/Apia')).toBe(startOfDay('2011-12-31', 'Pacific/Apia'))
})

test('the day after the last of a month or a year is the first', () => {
  expect(['2026-12-31', '2028-02-28', '2026-02-28'].map(dayAfter)).toEqual(['2027-01-01', '2028-02-29', '2026-03-01'])
})
