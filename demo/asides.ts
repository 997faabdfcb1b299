import { TODAY } from './calendar.ts'
import type { Project } from './companies.ts'
import { diceOf } from './dice.ts'
import type { Step } from './steps.ts'
import { talk } from './words.ts'

/** The last task was entered twice. The owner deletes the second one just now, because a task leaves the bin after a while. */
export function enteredTwice({ crew: [owner] }: Project, steps: Step[]): Step[] {
  const once = steps.findLast((step) => step.does === 'create task')!
  const twice = { ...once, at: once.at + 0.5, task: `${once.task} again` }
  const { company, project, task } = twice
  return [twice, { company, at: TODAY, by: owner, does: 'delete task', project, task, isOpen: true }]
}

/**
 * The steps of a project, with what people do beside the work: owners watch urgent tasks, and authors change what they
 * have said. The dice are its own, so the work is the same without it.
 */
export function withAsides({ code, crew: [owner] }: Project, steps: Step[]): Step[] {
  const dice = diceOf(`asides of ${code}`)
  return steps.flatMap((step) => {
    if (step.does === 'create task') {
      const { company, project, task, at } = step
      const watch = { company, at: at + 0.3, by: owner, does: 'watch task', project, task } as const
      return step.priority === 'URGENT' && step.by !== owner ? [step, watch] : [step]
    }
    if (step.does !== 'comment') return [step]
    const { company, by, project, task, at } = step
    const change = (content: string, instead: string | null): Step => {
      return { company, at: at + 0.6, by, does: 'change comment', project, task, content, instead }
    }
    if (dice.chance(0.01)) return [step, change(step.content, `${step.content} ${dice.deal(talk.adding)}`)]
    if (!dice.chance(0.005)) return [step]
    const content = dice.deal(talk.slips)
    return [step, { company, at: at + 0.3, by, does: 'comment', project, task, content }, change(content, null)]
  })
}
