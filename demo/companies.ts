import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Portal } from '../src/domains/portal/portal.schemas.ts'
import '../src/domains/index.ts'
import { grantsOf, type Permission, ROLE } from '../src/kernel/access.ts'
import { type Frame, frameOf, type Kind } from './words.ts'

/** A company is in its own tenant. Its people, office, projects and pages are in `data/`. */
export interface Company {
  /** the code of its tenant */
  code: string
  name: string
  mail: string
  /** its administrator: makes the final decision on requests, edits the pages and the departments */
  administrator: string
  /** writes articles and moderates the comments */
  editor: string
  people: Person[]
  departments: Department[]
  requests: Request[]
  papers: Paper[]
  projects: Project[]
  categories: { slug: string; name: string; description: string }[]
  articles: Article[]
  /** sections of the portal in its own words; the others keep the defaults */
  portal: Partial<Portal>
  messages: { name: string; email: string; message: string }[]
  orders: Order[]
  settings: { timeZone: string; invitationDays: number }
  invitations: Invitation[]
  /** who is away while the demo is looked at, and who decides for them */
  away: Record<string, string>
  /** whose second factor is `SECOND_FACTOR` */
  secondFactor?: string
  /** whose tasks a calendar program reads */
  calendar?: string
  /** another system, with one key */
  system: { name: string; key: string; permissions: string[] }
  webhook: { url: string; types: string[]; description: string }
}

export interface Person {
  username: string
  name: string
  role: string
}

export interface Department {
  code: string
  name: string
  parent: string | null
  leader: string
  /** those besides the leader */
  members: string[]
}

/** A request for approval; `key` is its name in the office, `words` are the comments of those who decided, in order. */
export interface Request {
  key: string
  week: number
  applicant: string
  type: string
  title: string
  payload: string
  fate: Fate
  words: string[]
}

/** What becomes of a request after its draft: every state, on every path to it. */
export const FATES = {
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
export type Fate = keyof typeof FATES

/** A file that someone has uploaded: text as it is, a chart as bars, a letter as lines. It may belong to something. */
export interface Paper {
  name: string
  week: number
  by: string
  task?: string
  /** by its key; its draft is when it is uploaded */
  request?: string
  /** by its title; the same */
  article?: string
  holds: { text: string } | { bars: number[] } | { lines: string[] }
}

/**
 * Its crew begins with the owner, viewers only look on; weeks count from the start of the story, `archived` is the week in
 * which it was archived.
 */
export interface Project {
  code: string
  name: string
  description: string
  kind: Kind
  crew: [owner: string, ...others: string[]]
  viewers: string[]
  weeks: [from: number, to: number]
  archived: number | undefined
  /** how many tasks it gets */
  tasks: number
  /** what the work is about: noun phrases that fill frames */
  subjects: string[]
  /** tasks that occur once */
  single: Frame[]
}

/** A draft was written in the last week. `comments`: who, and what they say. */
export interface Article {
  title: string
  category: string
  summary: string
  tags: string[]
  content: string[]
  week: number | 'draft'
  author?: string
  comments: string[]
}

/** An order of a plan. Those of the story have expired; an open one is made at the moment of seeding, for 15 minutes. */
export interface Order {
  by: string
  planId: number
  channel: 'alipay' | 'wechat' | 'card'
  week: number | 'now'
}

/** Somebody who is invited so many days before the moment of seeding. If they accept, they become a person of this name. */
export interface Invitation {
  email: string
  by: string
  into: string
  note: string
  daysAgo: number
  accepts?: { username: string; name: string }
}

/** The secret of the demo's second factor, in base32. */
export const SECOND_FACTOR = 'ATRIUMDEMOATRIUMDEMOATRIUMDEMO22'

/** The demo's own role: what everyone may do, and the pages. */
export const EDITOR = 'editor'

/** What each role of the demo holds. */
export const GRANTS: Record<string, readonly Permission[]> = {
  ...Object.fromEntries(Object.values(ROLE).map((role) => [role, grantsOf(role)])),
  [EDITOR]: [...grantsOf(ROLE.user), 'content:list', 'content:create', 'content:update', 'content:delete'],
}

/** Velora builds electric cargo bikes. Its tenant exists from the start. */
export const velora = read('velora', ROLE.admin)
/** Northwind Labs measures water with buoys; its tenant is made by the seed. */
export const northwindLabs = read('northwind', ROLE.tenantAdmin)
export const companies = [velora, northwindLabs]

function read(name: string, administrators: string): Company {
  const company = parse(readFileSync(new URL(`data/${name}.yaml`, import.meta.url), 'utf8'))
  const roles: Record<string, string> = { [company.administrator]: administrators, [company.editor]: EDITOR }
  return {
    ...company,
    people: linesOf(company.people).map((line) => {
      const [username, name] = line.split(/\s{2,}/) as [string, string]
      return { username, name, role: roles[username] ?? ROLE.user }
    }),
    departments: departments(company.departments),
    requests: linesOf(company.requests).map(requestOf),
    projects: company.projects.split(/\n(?=\S)/).map(projectOf),
  }
}

function linesOf(text: string): string[] {
  return text.trim().split(/\s*\n\s*/)
}

function departments(table: string): Department[] {
  const above: string[] = []
  return table
    .trimEnd()
    .split('\n')
    .map((line) => {
      const depth = line.search(/\S/) / 2
      const [code, name, leader, members = ''] = line.trim().split(/\s{2,}/) as [string, string, string, string?]
      above[depth] = code
      return { code, name, parent: above[depth - 1] ?? null, leader, members: members.split(' ').filter(Boolean) }
    })
}

function requestOf(line: string): Request {
  const cells = line.split(/\s*\|\s*/) as [string, string, string, string, string, string, Fate, string?]
  const [key, week, applicant, type, title, pairs, fate, words = ''] = cells
  const payload = JSON.stringify(
    Object.fromEntries(
      pairs.split('; ').map((pair) => {
        const [, name, value] = /^(\S+) (.*)$/.exec(pair)!
        return [name, /^\d+(\.\d+)?$/.test(value!) ? Number(value) : value]
      }),
    ),
  )
  return { key, week: Number(week), applicant, type, title, payload, fate, words: words.split(' / ').filter(Boolean) }
}

function projectOf(text: string): Project {
  const [head, description, subjects, ...single] = linesOf(text) as [string, string, string, ...string[]]
  const cells = head.split(' | ') as [string, string, Kind, string, string, string, string?]
  const [code, name, kind, weeks, tasks, crew, viewers = ''] = cells
  const [, from, to, archived] = /^(\d+)-(\d+)(?: archived (\d+))?$/.exec(weeks)!
  return {
    code,
    name,
    description,
    kind,
    crew: crew.split(' ') as Project['crew'],
    viewers: viewers.split(' ').filter(Boolean),
    weeks: [Number(from), Number(to)],
    archived: archived === undefined ? undefined : Number(archived),
    tasks: Number(tasks),
    subjects: subjects.split(', '),
    single: single.map(frameOf),
  }
}
