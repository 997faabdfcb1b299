import { enteredTwice, withAsides } from './asides.ts'
import { DAY, dateOf, TODAY, WEEK } from './calendar.ts'
import { type Company, companies, type Project } from './companies.ts'
import { type Dice, diceOf } from './dice.ts'
import { tellOffice } from './office-story.ts'
import type { Deed, Step } from './steps.ts'
import { lifeOf } from './task-story.ts'
import { about, type Frame, frames } from './words.ts'

/** Half a year in two companies, in order of time. A pure function without arguments: it is always the same story. */
export function tellStory(): Step[] {
  const steps = companies.flatMap((company) => [
    ...company.projects.flatMap((plan) => tellProject(company, plan)),
    ...tellOffice(company),
    ...tellInboxes(company),
  ])
  return steps.sort((one, other) => one.at - other.at)
}

/** What a project's tasks need to know of it. */
export interface Setting {
  plan: Project
  company: Company
  dice: Dice
  /** when the project was archived, or the end of the story */
  end: number
  /** the members at a moment; the owner is one from the start */
  members(at: number): string[]
}

function tellProject(company: Company, plan: Project): Step[] {
  const dice = diceOf(plan.code)
  const [owner, ...others] = plan.crew
  const begin = plan.weeks[0] * WEEK + dice.between(20, 200)
  const end = plan.archived ? plan.archived * WEEK + dice.between(0, DAY) : TODAY
  // In a large crew the last one joins when the work is in progress.
  const joined = others.map((member, at) => {
    const late = others.length >= 4 && at === others.length - 1
    return { member, at: late ? begin + dice.between(4, 7) * WEEK : begin + dice.between(2, 6) * (at + 1) }
  })
  const setting: Setting = {
    plan,
    company,
    dice,
    end,
    members: (at) => [owner, ...joined.filter((one) => one.at < at).map(({ member }) => member)],
  }
  const step = (at: number, deed: Deed, by = owner): Step => ({ company: company.code, at, by, ...deed })
  const project = plan.code

  const steps = [
    step(begin, {
      does: 'create project',
      project,
      name: plan.name,
      description: plan.description,
      startDate: dateOf(plan.weeks[0] * WEEK),
      endDate: dateOf(plan.weeks[1] * WEEK - DAY),
    }),
    ...joined.map(({ member, at }) => step(at, { does: 'add member', project, member })),
    ...plan.viewers.flatMap((member) => [
      step(begin + WEEK, { does: 'add member', project, member, role: 'viewer' }),
      step(begin + WEEK + 5, { does: 'watch project', project }, member),
    ]),
    ...assignments(setting, begin + 60).flatMap(({ frame, at }, number) =>
      lifeOf(setting, `${project}-${number + 1}`, frame, at),
    ),
  ]
  const overdue = plan.weeks[1] * WEEK - dice.between(1, 3) * DAY
  if (overdue < end && !plan.archived)
    steps.push(step(overdue, { does: 'extend project', project, endDate: dateOf(overdue + dice.whole(3, 8) * WEEK) }))
  if (plan.archived) steps.push(step(end, { does: 'archive project', project }))
  else steps.push(...enteredTwice(plan, steps))
  return withAsides(plan, steps)
}

/**
 * The tasks of a project and when they come up. Each subject has its time, within which its frames keep their order;
 * single tasks come up in the order in which they are listed.
 */
function assignments({ plan, dice, end }: Setting, begin: number): { frame: Frame; at: number }[] {
  const lastCall = Math.min(end, plan.weeks[1] * WEEK) - (plan.archived ? 4 * DAY : 40)
  const span = lastCall - begin
  const times = dice.moments(plan.single.length, begin + 0.02 * span, lastCall)
  const tasks = plan.single.map((frame, at) => ({ frame, at: times[at]! }))
  const shares = share(plan.tasks - plan.single.length, plan.subjects.length)
  for (const [at, subject] of plan.subjects.entries()) {
    const first = begin + span * ((0.45 * at) / plan.subjects.length + dice.between(0, 0.04))
    const last = first + (lastCall - first) * dice.between(0.8, 1)
    const chosen = new Set(dice.shuffled(frames[plan.kind]).slice(0, shares[at]))
    const moments = dice.moments(chosen.size, first, last)
    for (const frame of frames[plan.kind])
      if (chosen.has(frame)) tasks.push({ frame: fill(frame, subject), at: moments.shift()! })
  }
  return tasks.sort((one, other) => one.at - other.at)
}

/** Deals `total` into `count` shares that differ by one at most. */
function share(total: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => Math.floor((total + at) / count))
}

function fill({ title, description }: Frame, subject: string): Frame {
  return { title: about(subject, title), description: description && about(subject, description) }
}

/** Most people have read their notifications up to a few days ago. */
function tellInboxes(company: Company): Step[] {
  const dice = diceOf(`inboxes of ${company.code}`)
  return company.people.map(({ username }) => ({
    company: company.code,
    at: TODAY - dice.between(2, 15) * DAY,
    by: username,
    does: 'read the inbox',
  }))
}
