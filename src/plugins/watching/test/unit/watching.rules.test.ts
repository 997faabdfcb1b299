import { describe, expect, test } from 'vitest'
import { refusalOf } from '#test/refusal.ts'
import { receiversOf, reviseMentions } from '../../watching.rules.ts'

const [ANN, BEN, EVE] = [7, 8, 9]
const seen = (...ids: number[]) => ids.map((id) => ({ id }))

describe('the mentions of a comment', () => {
  const mentioned = (userIds: number[], toldIds = userIds) => ({ userIds, toldIds })
  test.each<[what: string, ReturnType<typeof mentioned>, wanted: number[] | undefined, seers: number[], object]>([
    ['of a new one are told', mentioned([]), [ANN, BEN], [ANN, BEN], { news: [ANN, BEN], changed: true }],
    ['that are left out stay', mentioned([ANN]), undefined, [], { userIds: [ANN], news: [], changed: false }],
    ['that are sent again are not told', mentioned([ANN]), [ANN], [ANN], { news: [], changed: false }],
    ['that are added are told alone', mentioned([ANN]), [ANN, BEN], [ANN, BEN], { news: [BEN], changed: true }],
    ['that are taken out go', mentioned([ANN, BEN]), [BEN], [BEN], { userIds: [BEN], news: [], changed: true }],
    [
      'that come back are not told again',
      mentioned([], [ANN]),
      [ANN],
      [ANN],
      { userIds: [ANN], news: [], changed: true },
    ],
    ['of who has left the project may stay', mentioned([ANN]), [ANN], [], { userIds: [ANN], news: [], changed: false }],
  ])('%s', (_, was, wanted, seers, result) => {
    expect(reviseMentions(was, wanted, seen(...seers))).toMatchObject(result)
  })

  test('are refused by their places where somebody does not see the project', () => {
    const { type, status, details } = refusalOf(() => reviseMentions(mentioned([ANN]), [ANN, BEN, EVE], seen(BEN)))
    expect([type, status, details.map(({ path }) => path)]).toEqual(['MENTION_NOT_MEMBER', 400, ['body.mentions.2']])
  })
})

test('who is told of a task is told once, however many reasons there are, and not if they are told anyway', () => {
  const task = { id: 1, title: 'Land' }
  const watches = [ANN, ANN, BEN, EVE].map((userId) => ({ taskId: 1, userId }))
  expect(receiversOf({ task, told: [EVE] }, [...watches, { taskId: 2, userId: 3 }])).toEqual([ANN, BEN])
})
