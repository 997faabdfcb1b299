import { describe, expect, test } from 'vitest'
import { refusalOf } from '#test/refusal.ts'
import { assertFits, limitOf } from '../../plans.rules.ts'

test('what a plan allows is used up to the last one, and a tenant beyond it adds nothing', () => {
  for (const [used, limit, wanted] of [
    [0, 1, 1],
    [3, 4, 1],
    [1, 4, 3],
  ] as const)
    assertFits('people', { used, limit, wanted })
  for (const [used, limit, wanted] of [
    [0, 0, 1],
    [4, 4, 1],
    [2, 4, 3],
    [6, 4, 1],
  ] as const)
    expect(refusalOf(() => assertFits('people', { used, limit, wanted }))).toMatchObject({
      ...{ type: 'QUOTA_EXCEEDED', status: 409, details: [{ quota: 'people', used, limit }] },
    })
})

describe('the limit of a plan', () => {
  const plans = { tiny: { people: 6, projects: 0 }, constructor: {} }
  test.each([
    ['tiny', 'people', 6],
    ['tiny', 'projects', 0],
    ['tiny', 'fileBytes', null],
    ['toString', 'people', null],
    ['constructor', 'people', null],
  ] as const)('of %s for %s is %s', (plan, quota, limit) => {
    expect(limitOf(plans, plan, quota)).toBe(limit)
    expect(limitOf(undefined, plan, quota)).toBeNull()
  })
})
