import { DAY, instantOf, TODAY, WEEK } from './calendar.ts'
import { type Article, type Company, type Department, FATES, type Request } from './companies.ts'
import { diceOf } from './dice.ts'
import { type Deed, type Step, VISITOR } from './steps.ts'

/** What happens in a company besides its projects: departments, requests, papers, pages, orders. */
export function tellOffice(company: Company): Step[] {
  const { administrator, editor, departments, requests, papers, portal, categories, articles, messages, orders } =
    company
  const step = (at: number, by: string, deed: Deed): Step => ({ company: company.code, at, by, ...deed })
  // In the first hour the administrator makes the departments and assigns everyone; the pages open in the third week.
  const [soon, later] = [ticking(5, 0.1), ticking(3 * WEEK - 1, 1)]
  const within = (name: string, week: number, days: number) => week * WEEK + diceOf(name).between(0, days * DAY)

  return [
    ...departments.flatMap(({ code: department, name, parent, leader, members }, sort) => [
      step(soon(), administrator, { does: 'create department', department, name, parent, leader, sort }),
      ...members.map((member) => step(soon(), administrator, { does: 'join department', department, member })),
    ]),
    ...requests.flatMap((request) => tellRequest(company, request, step)),
    ...papers.map(({ name: file, week, by, holds, task, request, article }) =>
      // A minute after the draft of what it belongs to.
      step(request || article ? draftedAt(request ?? article!, week) + 1 : within(file, week, 4), by, {
        does: 'upload file',
        file,
        holds,
        ...(task && { project: task.split('-')[0]!, task }),
        ...(request && { approval: request }),
        ...(article && { article }),
      }),
    ),
    ...Object.entries(portal).map(([section, content]) =>
      step(later(), administrator, { does: 'write section', section: section as 'home', content: content as never }),
    ),
    ...categories.map((category) => step(later(), editor, { does: 'create category', ...category })),
    ...articles.flatMap((article) => tellArticle(editor, article, step)),
    ...messages.map((message) =>
      step(TODAY - diceOf(message.email).between(0, 10) * DAY, VISITOR, { does: 'leave message', ...message }),
    ),
    ...orders.map(({ by, planId, channel, week }) => {
      const isOpen = week === 'now'
      return step(isOpen ? TODAY : within(`${by} ${planId}`, week, 4), by, {
        does: 'check out',
        planId,
        channel,
        isOpen,
      })
    }),
    ...tellPresent(company, step),
  ]
}

/** What is so while the demo is looked at. */
function tellPresent(company: Company, step: MakeStep): Step[] {
  const { administrator, settings, invitations, away, secondFactor, calendar, system, webhook } = company
  const open = (by: string, deed: Deed) => step(TODAY, by, deed)
  const { name: account, key: name, permissions } = system
  return [
    step(4, administrator, { does: 'change settings', settings }),
    ...invitations.flatMap(({ by, accepts, email, into, note, daysAgo }) => {
      const invited = open(by, { does: 'invite', email, into, note, becomes: accepts?.username ?? null, daysAgo })
      return accepts
        ? [invited, open(VISITOR, { does: 'accept invitation', email, ...accepts, isOpen: true })]
        : [invited]
    }),
    ...Object.entries(away).map(([by, substitute]) => open(by, { does: 'name substitute', substitute, isOpen: true })),
    ...(secondFactor ? [open(secondFactor, { does: 'add second factor', isOpen: true })] : []),
    ...(calendar ? [open(calendar, { does: 'share calendar', isOpen: true })] : []),
    step(20 * WEEK, administrator, { does: 'make service account', name: account }),
    open(administrator, { does: 'make key', account, name, permissions, isOpen: true }),
    open(administrator, { does: 'make webhook', ...webhook, isOpen: true }),
  ]
}

/** When a request or an article was drafted. */
function draftedAt(name: string, week: number): number {
  return week * WEEK + diceOf(name).between(0, 3 * DAY)
}

type MakeStep = (at: number, by: string, deed: Deed) => Step

/** The minutes of things that are done in one session. */
function ticking(from: number, pace: number): () => number {
  let at = from
  return () => {
    at += pace
    return at
  }
}

function tellRequest({ departments, administrator, papers }: Company, request: Request, step: MakeStep): Step[] {
  const { key: approval, applicant, type, title, payload } = request
  const dice = diceOf(approval)
  const { code: department, leader } = departmentFor(departments, applicant)
  const [words, deciders] = [[...request.words], [leader, administrator]]
  let now = request.week * WEEK + dice.between(0, 3 * DAY)
  const draft = { approval, version: 0, type, title, payload, department } as const
  const steps = [step(now, applicant, { does: 'draft approval', ...draft })]
  // A paper that is attached changes the request too.
  const attached = papers.filter((paper) => paper.request === approval).length
  for (const [before, move] of FATES[request.fate].entries()) {
    now += move === 'submit' ? dice.between(2, 60) : dice.between(30, 0.9 * DAY)
    const common = { approval, version: attached + before + 1 }
    if (move === 'submit' || move === 'cancel')
      steps.push(step(now, applicant, { does: 'move approval', ...common, move }))
    else
      steps.push(
        step(now, deciders.shift()!, { does: 'decide approval', ...common, move, comment: words.shift() ?? null }),
      )
  }
  return steps
}

/** The department whose leader decides this person's requests: their own, or if they lead it the one above, if any. */
function departmentFor(departments: Department[], username: string): Department {
  const own = departments.find(({ leader, members }) => leader === username || members.includes(username))!
  if (own.leader !== username) return own
  return departments.find(({ code }) => code === own.parent) ?? own
}

/** An article and what was said about it, up to the end of the story. */
function tellArticle(editor: string, { comments, week, title: article, ...text }: Article, step: MakeStep): Step[] {
  const dice = diceOf(article)
  let at = week === 'draft' ? TODAY - 2 * DAY : week * WEEK + dice.between(0, 3 * DAY)
  const status = week === 'draft' ? 'draft' : 'published'
  const steps = [step(at, editor, { does: 'write article', article, ...text, status })]
  for (const line of comments) {
    const [, fate, by, content, instead = null] = COMMENT.exec(line) as unknown as Written
    at += dice.between(60, 2 * DAY)
    const comment = `${by} ${instantOf(at)}`
    steps.push(step(at, by, { does: 'comment article', article, comment, content }))
    if (instead || fate === 'deleted')
      steps.push(step(at + 20, by, { does: 'change blog comment', article, comment, instead }))
    if (fate === 'hidden') steps.push(step(at + 90, editor, { does: 'hide comment', article, comment }))
  }
  return steps.filter(({ at }) => at < TODAY)
}

/** What becomes of a comment, who writes it, what they say, and what they make of it. */
const COMMENT = /^(?:\((hidden|deleted)\) )?([\w.]+): (.*?)(?: → (.*))?$/
type Written = [line: string, fate: 'hidden' | 'deleted' | undefined, by: string, content: string, instead?: string]
