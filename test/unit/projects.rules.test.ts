import { describe, expect, test } from 'vitest'
import { assertDateOrder, assertMayLeave, reviseProject } from '../../src/domains/projects/projects.rules.ts'
import { refusalOf } from '../support/refusal.ts'

describe('a refused change of a project names the first thing that is wrong', () => {
  const wrong = { version: 99, endDate: '2025-01-01' }

  test('that it is archived', () => {
    expect(refusalOf(() => reviseProject(givenProject({ status: 'ARCHIVED' }), wrong))).toMatchObject({
      type: 'PROJECT_ARCHIVED',
      status: 409,
    })
  })

  test('then the order of its dates, as they would become', () => {
    expect(refusalOf(() => reviseProject(givenProject(), wrong))).toMatchObject({ type: 'DATE_ORDER', status: 400 })
  })

  test('then its version', () => {
    expect(refusalOf(() => reviseProject(givenProject(), { version: 99, name: 'New' }))).toMatchObject({
      type: 'VERSION_CONFLICT',
      details: [{ path: 'version', expected: 99, actual: 3 }],
    })
  })
})

describe('what a patch makes of a project', () => {
  test('a field left out stays, null clears, and the version rises by one', () => {
    expect(reviseProject(givenProject({ description: 'old' }), { version: 3, endDate: null })).toEqual({
      changed: true,
      fields: { name: 'Old', description: 'old', startDate: '2026-01-01', endDate: null, version: 4 },
    })
  })

  test('a patch that changes nothing raises the version all the same', () => {
    const revision = reviseProject(givenProject(), { version: 3, name: 'Old', description: null })
    expect(revision).toMatchObject({ changed: false, fields: { version: 4 } })
  })
})

describe('the dates of a project', () => {
  test.each([
    [undefined, undefined],
    [null, '2026-01-01'],
    ['2026-01-01', null],
    ['2026-01-01', '2026-01-01'],
    ['2025-12-31', '2026-01-01'],
  ])('%s to %s is in order', (startDate, endDate) => {
    expect(() => assertDateOrder({ startDate, endDate })).not.toThrow()
  })

  test('an end before the start is not', () => {
    expect(refusalOf(() => assertDateOrder({ startDate: '2026-01-02', endDate: '2026-01-01' }))).toMatchObject({
      type: 'DATE_ORDER',
      details: [{ path: 'body.endDate' }],
    })
  })
})

describe('leaving a project', () => {
  test('the owner cannot, whatever their tasks', () => {
    expect(refusalOf(() => assertMayLeave({ ownerId: 7 }, 7, [1])).type).toBe('OWNER_CANNOT_LEAVE')
  })

  test('a member with open tasks cannot, and is told which', () => {
    expect(refusalOf(() => assertMayLeave({ ownerId: 7 }, 8, [21, 22]))).toMatchObject({
      type: 'MEMBER_HAS_OPEN_TASKS',
      details: [
        { path: 'userId', id: 21 },
        { path: 'userId', id: 22 },
      ],
    })
  })

  test('anybody else may', () => {
    expect(() => assertMayLeave({ ownerId: 7 }, 8, [])).not.toThrow()
  })
})

function givenProject(changes: object = {}) {
  return {
    name: 'Old',
    description: null,
    status: 'ACTIVE' as const,
    startDate: '2026-01-01',
    endDate: '2026-06-30',
    ownerId: 7,
    version: 3,
    ...changes,
  }
}
