import type { Tx } from '#atrium'
import { MOST_TOLD_SINGLY } from '#atrium/people'
import type { TaskFollowers, TaskNews } from '#atrium/tasks'
import { receiversOf, WORDS } from './watching.rules.ts'
import { listWatches } from './watching.store.ts'

/** Watchers as those who follow tasks: each is told once of each task, or once of many that one command has changed. */
export const watchers: TaskFollowers = {
  async read(tx, p) {
    const watches = await listWatches(tx, p)
    return (news) => {
      const told = news.map((one) => ({ ...one, receivers: receiversOf(one, watches) }))
      if (told.length > MOST_TOLD_SINGLY) tellOfMany(tx, told)
      else for (const one of told) tell(tx, one)
    }
  },
}

type Told = TaskNews & { receivers: number[] }

function tell(tx: Tx, { task, what, receivers }: Told): void {
  tx.notify({
    type: 'TASK_CHANGED',
    facts: { title: task.title, what: what.map((part) => WORDS[part]) },
    resourceType: 'task',
    resourceId: task.id,
    receivers,
  })
}

/** One notification with the number, for each person. */
function tellOfMany(tx: Tx, told: readonly Told[]): void {
  for (const person of new Set(told.flatMap(({ receivers }) => receivers))) {
    const theirs = told.filter(({ receivers }) => receivers.includes(person))
    if (theirs.length === 1) tell(tx, { ...theirs[0]!, receivers: [person] })
    else
      tx.notify({
        type: 'TASKS_CHANGED',
        facts: { count: String(theirs.length) },
        resourceType: 'task',
        resourceId: theirs[0]!.task.id,
        receivers: [person],
      })
  }
}
