import { describe, expect, test } from 'vitest'
import type { Fault } from '#atrium'
import { assertFits, limitOf } from '../../plans.rules.ts'

const fits = (used: number, limit: number, wanted: number) => {
  try {
    assertFits('people', { used, limit, wanted })
    return true
  } catch (error) {
    const { type, status, details } = error as Fault
    expect({ type, status, details }).toMatchObject({
      type: 'QUOTA_EXCEEDED',
      status: 409,
      details: [{ quota: 'people', used, limit }],
    })
    return false
  }
}

test('what a plan allows is used up to the last one, and a tenant beyond it adds nothing', () => {
  for (let limit = 0; limit <= 4; limit++)
    for (let used = 0; used <= 6; used++)
      for (let wanted = 1; wanted <= 4; wanted++) expect(fits(used, limit, wanted)).toBe(limit - used >= wanted)
})

describe('the limit of a plan', () => {
  const plans = { tiny: { people: 6, projects: 0 }, constructor: {} }
  test.each([
    ['tiny', 'people', 6],
    ['tiny', 'projects', 0],
    ['tiny', 'fileBytes', null],
    ['large', 'people', null],
    ['toString', 'people', null],
    ['constructor', 'people', null],
  ] as const)('of %s for %s is %s', (plan, quota, limit) => {
    expect(limitOf(plans, plan, quota)).toBe(limit)
    expect(limitOf(undefined, plan, quota)).toBeNull()
  })
})
