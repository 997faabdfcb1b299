import { DAY, dateOf, TODAY, weekdayOf } from './calendar.ts'
import type { Change, Deed, Priority, Status, Step } from './steps.ts'
import type { Setting } from './story.ts'
import { type Frame, moments, narrowings, talk } from './words.ts'

const PRIORITIES: Priority[] = ['LOW', 'MEDIUM', 'HIGH', 'URGENT']
/** The weights of priorities for a new task. */
const GIVEN: Priority[] = [...Array(4).fill('LOW'), ...Array(9).fill('MEDIUM'), ...Array(5).fill('HIGH'), 'URGENT']
/** How long people take, compared to an ordinary task. */
const PACE: Record<Priority, number> = { LOW: 1.6, MEDIUM: 1, HIGH: 0.6, URGENT: 0.25 }

/** The life of one task, from its making to where it stands when the story ends or the project is archived. */
export function lifeOf(setting: Setting, task: string, { title, description }: Frame, made: number): Step[] {
  const { plan, company, dice, end } = setting
  const owner = plan.crew[0]!
  const words = moments[plan.kind]
  const steps: Step[] = []
  let now = made
  let priority = dice.pick(GIVEN)
  const reporter = dice.chance(0.5) ? owner : dice.pick(setting.members(now))
  let assignee = dice.pick(setting.members(now).filter((name) => name !== owner || dice.chance(0.3)))
  let due = dice.chance(0.75) ? now + dice.between(4, 30) * DAY * PACE[priority] : undefined

  const step = (by: string, deed: Deed) => {
    steps.push({ company: company.code, at: now, by, ...deed })
    now += dice.between(1, 5)
  }
  const change = (by: string, patch: Change) => step(by, { does: 'update task', project: plan.code, task, patch })
  const wait = (least: number, most: number) => {
    now += dice.between(least, most) * PACE[priority]
  }
  const someoneElse = (...not: string[]) =>
    dice.pick(setting.members(now).filter((name) => !not.includes(name))) ?? owner
  const partner = () => (reporter === assignee ? someoneElse(assignee) : reporter)
  const someDay = () => weekdayOf(now + dice.whole(2, 4) * DAY)
  const say = (by: string, to: string, line: string, day = someDay()) => {
    const content = line.replaceAll('{to}', firstName(setting, to)).replaceAll('{day}', day)
    const mentions = line.includes('{to}') && by !== to ? { mentions: [to] } : {}
    step(by, { does: 'comment', project: plan.code, task, content, ...mentions })
  }
  const converse = (first: string, second: string, lines: string) => {
    const day = someDay()
    for (const [at, line] of lines.split(' / ').entries()) {
      const [by, to] = at % 2 === 0 ? [first, second] : [second, first]
      if (at > 0) wait(15, 400)
      say(by, to, line, day)
    }
  }

  function makeIt() {
    const dueDate = due ? dateOf(due) : null
    const known = dice.chance(0.8)
    step(reporter, {
      does: 'create task',
      project: plan.code,
      task,
      title,
      description,
      priority,
      dueDate,
      assignee: known ? assignee : null,
    })
    if (known) return
    wait(60, 3 * DAY)
    change(dice.chance(0.5) ? owner : assignee, { assignee })
  }

  /** What may happen while a task waits. False if no one will ever begin it. */
  function waitForTurn(): boolean {
    wait(40, 3.5 * DAY)
    if (dice.chance(0.06) && !title.endsWith('?')) change(partner(), { title: title + dice.deal(narrowings) })
    if (dice.chance(0.1)) reprioritise()
    if (dice.chance(0.07)) converse(assignee, partner(), dice.deal(talk.exchanges))
    wait(40, 14 * DAY)
    if (dice.chance(0.04)) return drop()
    return plan.archived !== undefined || !dice.chance(0.08)
  }

  function reprioritise() {
    const next = PRIORITIES[PRIORITIES.indexOf(priority) + (priority === 'URGENT' || dice.chance(0.3) ? -1 : 1)]
    if (!next) return
    const up = PRIORITIES.indexOf(next) > PRIORITIES.indexOf(priority)
    change(owner, { priority: next })
    if (dice.chance(0.5)) say(owner, assignee, dice.deal(up ? talk.raising : talk.lowering))
    priority = next
  }

  function drop(): false {
    say(owner, assignee, dice.deal(talk.dropping))
    wait(1, 4)
    change(owner, { status: 'CANCELLED' })
    return false
  }

  function work() {
    change(assignee, { status: 'IN_PROGRESS' })
    if (dice.chance(0.15)) later(2, 20, () => say(assignee, partner(), dice.deal(talk.starting)))
    wait(60, 1.5 * DAY)
    if (dice.chance(0.18)) converse(assignee, partner(), dice.deal(talk.exchanges))
    if (dice.chance(0.18)) stumble()
    if (due && now > due - DAY && dice.chance(0.6)) postpone()
    if (dice.chance(0.08)) handOver()
    wait(60, 9 * DAY)
    if (dice.chance(0.3)) say(assignee, partner(), dice.deal(words.progress))
    wait(60, 9 * DAY)
  }

  function stumble() {
    const [trouble, relief] = dice.deal(words.blocked).split(' / ') as [string, string]
    const helper = someoneElse(assignee)
    say(assignee, helper, trouble)
    wait(1, 5)
    change(assignee, { status: 'BLOCKED' })
    now += dice.between(0.5, 14) * DAY
    say(assignee, helper, relief)
    wait(1, 5)
    change(assignee, { status: 'IN_PROGRESS' })
    wait(60, DAY)
  }

  function postpone() {
    due = Math.max(now, due ?? now) + dice.between(2, 7) * DAY
    say(assignee, partner(), dice.deal(talk.postponing))
    wait(1, 4)
    change(assignee, { dueDate: dateOf(due) })
  }

  function handOver() {
    const next = someoneElse(assignee, owner)
    if (!next || next === assignee) return
    say(assignee, next, dice.deal(talk.handingOver))
    wait(3, 90)
    change(assignee, { assignee: next })
    assignee = next
    wait(60, 2 * DAY)
  }

  function finish() {
    if (dice.chance(0.02)) return void drop()
    if (dice.chance(0.33)) {
      say(assignee, partner(), dice.deal(words.done))
      wait(1, 6)
    }
    change(assignee, { status: 'DONE' })
    if (dice.chance(0.14)) later(10, DAY, () => say(partner(), assignee, dice.deal(talk.thanks)))
  }

  /** Something on the side that does not delay what follows. */
  function later(least: number, most: number, act: () => void) {
    const before = now
    wait(least, most)
    act()
    now = before
  }

  makeIt()
  if (waitForTurn()) {
    work()
    finish()
  }
  const lived = steps.sort((one, other) => one.at - other.at).filter(({ at }) => at < Math.min(end - 60, TODAY))
  return plan.archived ? closeWith(setting, lived, task) : lived
}

/** What is still open when a project is archived is cancelled shortly before. */
function closeWith({ plan, dice, end, company }: Setting, steps: Step[], task: string): Step[] {
  const status = steps.findLast((step) => step.does === 'update task' && step.patch.status) as
    | { patch: { status: Status } }
    | undefined
  if (status && ['DONE', 'CANCELLED'].includes(status.patch.status)) return steps
  const at = end - dice.between(15, 50)
  const common = { company: company.code, by: plan.crew[0]!, project: plan.code, task }
  if (dice.chance(0.5)) steps.push({ ...common, at: at - 2, does: 'comment', content: dice.deal(talk.leftBehind) })
  return [...steps, { ...common, at, does: 'update task', patch: { status: 'CANCELLED' } }]
}

function firstName({ company }: Setting, username: string): string {
  return company.people.find((person) => person.username === username)!.name.split(' ')[0]!
}
