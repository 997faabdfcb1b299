import { list } from '#atrium'
import type { Part } from '../../../demo/parts.ts'
import { nameSubstitute } from './substitutes.actions.ts'

const DAY_MS = 86_400_000
const listSubstitutes = list((from, _: object) => from('substitutes').select('substitutes.userId'))

/** Somebody who is away while the demo is looked at. */
const part: Part<{ substituted: Set<number> }> = {
  ways: {
    'name substitute': {
      left: ({ by }, { substituted, users }) => substituted.has(users.get(by)?.id ?? 0),
      act: (tx, { substitute }, { person }) => {
        const day = (away: number) => new Date(Date.now() + away * DAY_MS).toISOString().slice(0, 10)
        return nameSubstitute(tx, tx.actor.id, { userId: person(substitute), from: day(-2), until: day(12) } as never)
      },
    },
  },
  async findMade(scope) {
    return { substituted: new Set((await listSubstitutes(scope, {})).map(({ userId }) => userId)) }
  },
}
export default part
