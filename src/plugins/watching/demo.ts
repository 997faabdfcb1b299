import { list } from '#atrium'
import { instantOf } from '../../../demo/calendar.ts'
import type { Found } from '../../../demo/found.ts'
import type { Part } from '../../../demo/parts.ts'
import type { Step } from '../../../demo/steps.ts'
import { watchProject, watchTask } from './watching.actions.ts'

const listAllWatches = list((from, _: object) => from('watches').select(['watches.userId', 'watches.createdAt']))

interface Made {
  /** who began to watch something, and when */
  watches: Set<string>
}

const part: Part<Made> = {
  ways: {
    'watch project': {
      left: isThere,
      act: (tx, { project }, { the }) => watchProject(tx, the(`project ${project}`).id),
    },
    'watch task': { left: isThere, act: (tx, { task }, { the }) => watchTask(tx, the(`task ${task}`).id) },
  },
  async findMade(scope) {
    const watches = await listAllWatches(scope, {})
    return { watches: new Set(watches.map(({ userId, createdAt }) => `${userId} ${createdAt}`)) }
  },
}
export default part

function isThere({ by, at }: Step, { watches, users }: Found & Made): boolean {
  return watches.has(`${users.get(by)?.id} ${instantOf(at)}`)
}
