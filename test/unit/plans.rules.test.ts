import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { limitOf } from '../../src/data/tx/plans.ts'
import { assertFits } from '../../src/domains/plans/plans.rules.ts'
import type { Fault } from '../../src/kernel/fault.ts'

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

describe('PLANS', () => {
  const read = (text: string) => readConfig({ PLANS: text }, () => 'generated').plans
  const SHAPE = 'must be JSON such as {"team":{"people":50,"projects":20}}'

  test('names the limits of each plan', () => {
    const plans = {
      tiny: { people: 6, projects: 4, fileBytes: 20_000, webhooks: 2, requestsPerMinute: 600 },
      free: { people: 0 },
      large: {},
    }
    expect(read(JSON.stringify(plans))).toEqual(plans)
    expect(read('{}')).toEqual({})
    expect(read('')).toBeUndefined()
  })

  test.each([
    ['tiny', [SHAPE]],
    ['[]', [SHAPE]],
    ['null', [SHAPE]],
    ['{"tiny":3}', ['tiny must be an object of limits']],
    ['{"":{}}', ['the name of a plan has 1 to 32 characters']],
    [`{"${'x'.repeat(33)}":{}}`, ['the name of a plan has 1 to 32 characters']],
    [
      '{"tiny":{"peple":6,"users":1}}',
      ['tiny may limit people, projects, fileBytes, webhooks, requestsPerMinute and nothing else'],
    ],
    [
      '{"tiny":{"people":-1,"projects":"4","fileBytes":1.5,"requestsPerMinute":0},"large":{"webhooks":1000001}}',
      [
        'tiny.people must be at least 0',
        'tiny.projects must be a whole number',
        'tiny.fileBytes must be a whole number',
        'tiny.requestsPerMinute must be at least 1',
        'large.webhooks must be at most 1000000',
      ],
    ],
  ])('%s is refused, with one sentence for each mistake', (text, sentences) => {
    const problems = sentences.map((sentence) => `  PLANS: ${sentence}`)
    expect(() => read(text)).toThrow(`The configuration is not valid:\n${problems.join('\n')}`)
  })
})
