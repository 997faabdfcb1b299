import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'

describe('PLANS', () => {
  const read = (text: string) => readConfig({ PLANS: text }, () => 'generated').plans
  const SHAPE = 'must be JSON such as {"team":{"people":50,"projects":20}}'

  test('names the limits of each plan', () => {
    const tiny = { people: 6, projects: 4, fileBytes: 20_000, webhooks: 2, requestsPerMinute: 600 }
    const plans = { tiny, free: { people: 0 }, large: {} }
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
