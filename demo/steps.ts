import type { ArticleStatus } from '../src/domains/content/content.schemas.ts'
import type { Portal, Section } from '../src/domains/portal/portal.schemas.ts'
import type { Company, Order, Paper } from './companies.ts'

export type Priority = 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT'
export type Status = 'TODO' | 'IN_PROGRESS' | 'BLOCKED' | 'DONE' | 'CANCELLED'
export interface Change {
  title?: string
  priority?: Priority
  dueDate?: string
  status?: Status
  assignee?: string
}

/**
 * What people can do, with what they need for it. People are user names, projects and departments their codes, tasks a
 * number within their project, approvals the key of the office with the version that they have afterwards, articles their titles,
 * their comments who wrote them and when.
 * What is open (`isOpen`) was done at the moment of seeding, and what is removed in time (`daysAgo`) not long before.
 */
export interface Deeds {
  'create project': { project: string; name: string; description: string; startDate: string; endDate: string }
  'extend project': { project: string; endDate: string }
  'archive project': { project: string }
  'add member': { project: string; member: string; role?: 'viewer' }
  'create task': {
    project: string
    task: string
    title: string
    description: string | null
    priority: Priority
    dueDate: string | null
    assignee: string | null
  }
  'update task': { project: string; task: string; patch: Change }
  'delete task': { project: string; task: string; isOpen: true }
  comment: { project: string; task: string; content: string; mentions?: string[] }
  /** `instead` is null if the comment is deleted. */
  'change comment': { project: string; task: string; content: string; instead: string | null }
  'watch project': { project: string }
  'watch task': { project: string; task: string }
  'read the inbox': object
  'create department': { department: string; name: string; parent: string | null; leader: string; sort: number }
  'join department': { department: string; member: string }
  'draft approval': {
    approval: string
    version: 0
    type: string
    title: string
    payload: string
    department: string
  }
  'move approval': { approval: string; version: number; move: 'submit' | 'cancel' }
  'decide approval': { approval: string; version: number; move: 'approve' | 'reject'; comment: string | null }
  'upload file': {
    file: string
    holds: Paper['holds']
    project?: string
    task?: string
    approval?: string
    article?: string
  }
  'write section': { section: Section; content: Portal[Section] }
  'create category': { slug: string; name: string; description: string }
  'write article': {
    article: string
    category: string
    author?: string
    summary: string
    tags: string[]
    content: string[]
    status: ArticleStatus
  }
  'comment article': { article: string; comment: string; content: string }
  /** Likewise. */
  'change blog comment': { article: string; comment: string; instead: string | null }
  'hide comment': { article: string; comment: string }
  'leave message': { name: string; email: string; message: string }
  'check out': { planId: number; channel: Order['channel']; isOpen: boolean }
  'change settings': { settings: Company['settings'] }
  invite: { email: string; note: string; into: string; becomes: string | null; daysAgo: number }
  'accept invitation': { email: string; username: string; name: string; isOpen: true }
  'name substitute': { substitute: string; isOpen: true }
  'add second factor': { isOpen: true }
  'share calendar': { isOpen: true }
  'make service account': { name: string }
  'make key': { account: string; name: string; permissions: string[]; isOpen: true }
  'make webhook': Company['webhook'] & { isOpen: true }
}

export type Does = keyof Deeds
export type Deed<D extends Does = Does> = { [Name in D]: { does: Name } & Deeds[Name] }[D]
/** Something that somebody did. */
export type Step<D extends Does = Does> = { company: string; at: number; by: string } & Deed<D>

/** Someone without an account. */
export const VISITOR = 'a visitor'
