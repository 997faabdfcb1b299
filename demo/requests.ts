import { DAY, WEEK } from './calendar.ts'
import { departmentFor } from './departments.ts'
import { diceOf } from './dice.ts'
import type { Company } from './people.ts'
import type { Deed, Step } from './story.ts'

/** A request for approval, and what becomes of it. */
export interface Request {
  /** by which the office calls it; unique */
  key: string
  week: number
  applicant: string
  type: string
  title: string
  payload: string
  fate: Fate
  /** what those who decided said, in their order */
  words: string[]
}

/** The steps of a request after its draft: every state that there is, on every way that leads to it. */
const LIVES = {
  draft: [],
  dropped: ['cancel'],
  'with the leader': ['submit'],
  'taken back': ['submit', 'cancel'],
  'refused by the leader': ['submit', 'reject'],
  'with the administrator': ['submit', 'approve'],
  'taken back late': ['submit', 'approve', 'cancel'],
  refused: ['submit', 'approve', 'reject'],
  approved: ['submit', 'approve', 'approve'],
} as const
export type Fate = keyof typeof LIVES

/** One request a line: key, week, applicant, type, title, payload as `name value` pairs, fate, words of those who decide. */
export function requests(table: string): Request[] {
  return table
    .trim()
    .split(/\s*\n\s*/)
    .map((line) => {
      const cells = line.split(/\s*\|\s*/) as [string, string, string, string, string, string, Fate, string?]
      const [key, week, applicant, type, title, pairs, fate, words = ''] = cells
      const payload = JSON.stringify(Object.fromEntries(pairs.split('; ').map(pairOf)))
      const said = words.split(' / ').filter(Boolean)
      return { key, week: Number(week), applicant, type, title, payload, fate, words: said }
    })
}

function pairOf(pair: string): [string, string | number] {
  const [name, ...rest] = pair.split(' ')
  const value = rest.join(' ')
  return [name!, /^\d+(\.\d+)?$/.test(value) ? Number(value) : value]
}

/** The lives of a company's requests. */
export function tellRequests(company: Company): Step[] {
  return company.requests.flatMap((request) => lifeOf(company, request))
}

function lifeOf({ code: company, departments, administrator }: Company, request: Request): Step[] {
  const { key: approval, applicant, type, title, payload } = request
  const dice = diceOf(approval)
  const department = departmentFor(departments, applicant)
  const words = [...request.words]
  let now = request.week * WEEK + dice.between(0, 3 * DAY)
  const draft: Deed = {
    does: 'draft approval',
    approval,
    version: 0,
    type,
    title,
    payload,
    department: department.code,
  }
  const steps: Step[] = [{ company, at: now, by: applicant, ...draft }]
  const deciders = [department.leader, administrator]
  for (const [before, move] of LIVES[request.fate].entries()) {
    now += move === 'submit' ? dice.between(2, 60) : dice.between(30, 0.9 * DAY)
    const common = { company, at: now, approval, version: before + 1 }
    if (move === 'submit' || move === 'cancel') steps.push({ ...common, by: applicant, does: 'move approval', move })
    else
      steps.push({
        ...common,
        by: deciders.shift()!,
        does: 'decide approval',
        move,
        comment: words.shift() ?? null,
      })
  }
  return steps
}
