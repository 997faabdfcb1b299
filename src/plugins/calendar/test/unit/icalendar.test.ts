import { describe, expect, test } from 'vitest'
import { icalendarOf } from '../../icalendar.ts'

const task: Parameters<typeof icalendarOf>[1][number] = {
  id: 34,
  title: 'Buy sand',
  description: null,
  priority: 'MEDIUM',
  status: 'TODO',
  dueDate: '2026-12-01',
  version: 0,
  createdAt: '2026-11-25T18:58:36.565Z',
  updatedAt: '2026-11-25T18:58:36.565Z',
}
/** The lines of a calendar as they were before they were folded. RFC 5545, section 3.1 */
const linesOf = async (...given: Parameters<typeof icalendarOf>) =>
  (await icalendarOf(...given)).replaceAll('\r\n ', '').split('\r\n')
const uidsOf = async (tenantId: number, ...tasks: (typeof task)[]) =>
  (await linesOf(tenantId, tasks, 'en')).filter((line) => line.startsWith('UID:'))

describe('a task in a calendar', () => {
  test.each(['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])(
    'is one event if its texts contain %j',
    async (end) => {
      const text = `one${end}two`
      const lines = await linesOf(12, [{ ...task, title: text, description: text }], 'en')
      expect(lines.join('')).not.toMatch(/[\r\n\v\f\u0085\u2028\u2029]/)
      expect(lines).toContain('SUMMARY:one\\ntwo')
      expect(lines).toContain('DESCRIPTION:one\\ntwo')
    },
  )

  test('has the same UID however it changes, and one that no task of another installation has', async () => {
    const [uid] = await uidsOf(12, task)
    expect(await uidsOf(12, { ...task, title: 'Other', version: 7, updatedAt: '2026-11-26T00:00:00Z' })).toEqual([uid])
    const others = await Promise.all([
      uidsOf(12, { ...task, createdAt: '2026-11-25T18:58:36.566Z' }),
      uidsOf(12, { ...task, id: 35 }),
      uidsOf(13, task),
    ])
    expect(new Set([uid, ...others.flat()]).size).toBe(4)
  })
})
