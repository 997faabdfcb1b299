import { describe, expect, test } from 'vitest'
import { assertDateOrder, reviseProject } from '../../src/domains/projects/projects.rules.ts'
import type { ProjectPatch } from '../../src/domains/projects/projects.schemas.ts'
import type { Permission } from '../../src/kernel/access.ts'
import { refusalOf } from '../support/refusal.ts'

describe('a refused change of a project names the first thing that is wrong', () => {
  const wrong = { version: 99, endDate: '2025-01-01' }

  test('that it is not theirs to rename or to hand over', () => {
    const archived = givenProject({ status: 'ARCHIVED' })
    for (const patch of [{ name: 'New' }, { ownerId: 9 }])
      expect(refusalOf(() => revise(archived, { ...wrong, ...patch }, member()))).toMatchObject({ type: 'NOT_OWNER' })
    const manager = member('project:manage')
    expect(refusalOf(() => revise(archived, { name: 'New' }, manager)).type).toBe('PROJECT_ARCHIVED')
    expect(() => revise(givenProject(), { version: 3, name: 'Old', endDate: null }, member())).not.toThrow()
  })

  test('then that there is no such new owner', () => {
    const archived = givenProject({ status: 'ARCHIVED' })
    expect(refusalOf(() => revise(archived, { ownerId: 9 })).type).toBe('NOT_FOUND')
  })

  test('then that it is archived', () => {
    expect(refusalOf(() => revise(givenProject({ status: 'ARCHIVED' }), wrong))).toMatchObject({
      type: 'PROJECT_ARCHIVED',
      status: 409,
    })
    const [archived, patch, heir] = [givenProject({ status: 'ARCHIVED' }), { version: 3, ownerId: 9 }, { id: 9 }]
    const both = () => revise(archived, { ...patch, name: 'New' }, undefined, heir)
    expect(refusalOf(both).type).toBe('PROJECT_ARCHIVED')
    const handOver = revise(archived, patch, undefined, heir)
    expect(handOver).toMatchObject({ changes: [], isHandedOver: true, fields: { ownerId: 9, version: 4 } })
  })

  test('then the order of its dates, as they would become', () => {
    expect(refusalOf(() => revise(givenProject(), wrong))).toMatchObject({ type: 'DATE_ORDER', status: 400 })
  })

  test('then its version', () => {
    expect(refusalOf(() => revise(givenProject(), { version: 99, name: 'New' }))).toMatchObject({
      type: 'VERSION_CONFLICT',
      details: [{ path: 'version', expected: 99, actual: 3 }],
    })
  })
})

describe('what a patch makes of a project', () => {
  test('a field left out stays, null clears, and the version rises by one', () => {
    expect(revise(givenProject({ description: 'old' }), { version: 3, endDate: null })).toEqual({
      changes: [{ field: 'endDate', from: '2026-06-30', to: null }],
      isHandedOver: false,
      fields: { name: 'Old', ownerId: 7, description: 'old', startDate: '2026-01-01', endDate: null, version: 4 },
    })
  })

  test('a patch that changes nothing still raises the version', () => {
    const revision = revise(givenProject(), { version: 3, name: 'Old', description: null })
    expect(revision).toMatchObject({ changes: [], fields: { version: 4 } })
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

const member = (...permissions: Permission[]) => ({ id: 8, permissions: new Set(permissions) })

function revise(
  project: Parameters<typeof reviseProject>[0],
  patch: ProjectPatch,
  actor = { ...member(), id: 7 },
  newOwner?: { id: number },
) {
  return reviseProject(project, patch, actor, newOwner)
}

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
