import type { ArticleStatus } from '../src/domains/content/content.schemas.ts'
import type { Portal, Section } from '../src/domains/portal/portal.schemas.ts'
import { DAY, dateOf, TODAY, WEEK } from './calendar.ts'
import { tellDepartments } from './departments.ts'
import { type Dice, diceOf } from './dice.ts'
import { type Paper, tellPapers } from './papers.ts'
import { type Company, companies } from './people.ts'
import type { Plan } from './plan.ts'
import { type Order, tellPress } from './publishing.ts'
import { tellRequests } from './requests.ts'
import { lifeOf } from './task-story.ts'
import { about, type Frame, frameOf, frames } from './words.ts'

export type Priority = 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT'
export type Status = 'TODO' | 'IN_PROGRESS' | 'BLOCKED' | 'DONE' | 'CANCELLED'

/**
 * Something that somebody did. People are user names, projects and departments their codes, tasks a number within their
 * project, approvals the key of the office, articles their titles.
 */
export type Step = { company: string; at: number; by: string } & Deed
export type Deed =
  | { does: 'create project'; project: string; name: string; description: string; startDate: string; endDate: string }
  | { does: 'extend project'; project: string; endDate: string }
  | { does: 'archive project'; project: string }
  | { does: 'add member'; project: string; member: string }
  | ({ does: 'create task'; project: string; task: string } & NewTask)
  | { does: 'update task'; project: string; task: string; patch: Change }
  | { does: 'comment'; project: string; task: string; content: string }
  | { does: 'read the inbox' }
  | OfficeDeed
  | PressDeed

/** `version`: the one that the request has afterwards. */
export type OfficeDeed =
  | { does: 'create department'; department: string; name: string; parent: string | null; leader: string; sort: number }
  | { does: 'join department'; department: string; member: string }
  | ({ does: 'draft approval'; approval: string; version: 0 } & NewApproval)
  | { does: 'move approval'; approval: string; version: number; move: 'submit' | 'cancel' }
  | { does: 'decide approval'; approval: string; version: number; move: 'approve' | 'reject'; comment: string | null }
  | { does: 'upload file'; file: string; holds: Paper['holds'] }
export interface NewApproval {
  type: string
  title: string
  payload: string
  department: string
}

export type PressDeed =
  | { does: 'write section'; section: Section; content: Portal[Section] }
  | { does: 'create category'; slug: string; name: string; description: string }
  | ({ does: 'write article'; article: string } & NewArticle)
  | { does: 'comment article'; article: string; content: string }
  | { does: 'hide comment'; article: string; content: string }
  | { does: 'leave message'; name: string; email: string; message: string }
  | { does: 'check out'; planId: number; channel: Order['channel']; isOpen: boolean }
export interface NewArticle {
  category: string
  author?: string
  summary: string
  tags: string[]
  content: string[]
  status: ArticleStatus
}

export interface NewTask {
  title: string
  description: string | null
  priority: Priority
  dueDate: string | null
  assignee: string | null
}
export interface Change {
  title?: string
  priority?: Priority
  dueDate?: string
  status?: Status
  assignee?: string
}

/** Half a year in two companies, in order of time. A pure function without arguments: it is always the same story. */
export function tellStory(): Step[] {
  const steps = companies.flatMap((company) => [
    ...tellDepartments(company),
    ...company.plans.flatMap((plan) => tellProject(company, plan)),
    ...tellRequests(company),
    ...tellPapers(company),
    ...tellPress(company),
    ...tellInboxes(company),
  ])
  return steps.sort((one, other) => one.at - other.at)
}

/** What a project's tasks need to know of it. */
export interface Setting {
  plan: Plan
  company: Company
  dice: Dice
  /** when the project was archived, or the end of the story */
  end: number
  /** the members at a moment; the owner is one from the start */
  members(at: number): string[]
}

function tellProject(company: Company, plan: Plan): Step[] {
  const dice = diceOf(plan.code)
  const [owner, ...others] = plan.crew as [string, ...string[]]
  const begin = plan.weeks[0] * WEEK + dice.between(20, 200)
  const end = plan.archived ? plan.archived * WEEK + dice.between(0, DAY) : TODAY
  // In a large crew the last one joins when the work is under way.
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
  const step = (at: number, deed: Deed): Step => ({ company: company.code, at, by: owner, ...deed })
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
    ...assignments(setting, begin + 60).flatMap(({ frame, at }, number) =>
      lifeOf(setting, `${project}-${number + 1}`, frame, at),
    ),
  ]
  const overdue = plan.weeks[1] * WEEK - dice.between(1, 3) * DAY
  if (overdue < end && !plan.archived)
    steps.push(step(overdue, { does: 'extend project', project, endDate: dateOf(overdue + dice.whole(3, 8) * WEEK) }))
  if (plan.archived) steps.push(step(end, { does: 'archive project', project }))
  return steps
}

/**
 * The tasks of a project and when they come up. Each subject has its time, within which its frames follow their order;
 * single tasks come up in the order in which they are listed.
 */
function assignments({ plan, dice, end }: Setting, begin: number): { frame: Frame; at: number }[] {
  const lastCall = Math.min(end, plan.weeks[1] * WEEK) - (plan.archived ? 4 * DAY : 40)
  const span = lastCall - begin
  const times = dice.moments(plan.single.length, begin + 0.02 * span, lastCall)
  const tasks = plan.single.map((line, at) => ({ frame: frameOf(line), at: times[at]! }))
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
    does: 'read the inbox' as const,
  }))
}
