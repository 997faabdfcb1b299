import { describe, expect, test } from 'atrium/test'
import { reviseLabel } from '../labels.rules.ts'

const label = {
  id: 1,
  name: 'Urgent',
  colour: '#d1242f',
  version: 2,
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
}
const now = '2026-11-21T09:00:00.000Z'

describe('a label that is changed', () => {
  test('keeps what the patch leaves out', () => {
    expect(reviseLabel(label, { colour: '#1a7f37' }, now)).toEqual({
      ...label,
      colour: '#1a7f37',
      version: 3,
      updatedAt: now,
    })
  })

  test('is refused where it was read in another version, by body or by header', () => {
    expect(() => reviseLabel(label, { version: 1 }, now)).toThrow('The label was changed by someone else')
    expect(() => reviseLabel(label, { ifMatch: ['1'] }, now)).toThrow('This was changed since it was read')
    expect(reviseLabel(label, { version: 2, ifMatch: ['2'] }, now).version).toBe(3)
  })
})
