import type { Portal, Section } from '../src/domains/portal/portal.schemas.ts'
import { DAY, TODAY, WEEK } from './calendar.ts'
import { diceOf } from './dice.ts'
import type { Company } from './people.ts'
import type { Step } from './story.ts'

/** What a company shows the public, and what the public has to say. */
export interface Press {
  /** who writes articles and looks after the comments */
  editor: string
  categories: { slug: string; name: string; description: string }[]
  articles: Article[]
  /** sections of the portal in its own words; the others stay as they came */
  portal: Partial<Portal>
  messages: { name: string; email: string; message: string }[]
  orders: Order[]
}

export interface Article {
  title: string
  category: string
  summary: string
  tags: string[]
  content: string[]
  /** the week in which it was published; a draft was written in the last one */
  week: number | 'draft'
  author?: string
  /** `username: what they say`; what begins with `(hidden)` the editor has taken off the page */
  comments: string[]
}

/** An order of a plan. Those of the story have expired; an open one is made at the moment of seeding, for 15 minutes. */
export interface Order {
  by: string
  planId: number
  channel: 'alipay' | 'wechat' | 'card'
  week: number | 'now'
}

/** How a company came to its pages, and what happened on them. */
export function tellPress({ code: company, administrator, press }: Company): Step[] {
  const { editor, categories, articles, portal, messages, orders } = press
  let opening = 3 * WEEK
  const soon = () => opening++
  const pages = Object.entries(portal) as [Section, Portal[Section]][]
  return [
    ...pages.map(([section, content]) => ({
      company,
      at: soon(),
      by: administrator,
      does: 'write section' as const,
      section,
      content,
    })),
    ...categories.map((category) => ({
      company,
      at: soon(),
      by: editor,
      does: 'create category' as const,
      ...category,
    })),
    ...articles.flatMap((article) => tellArticle(company, editor, article)),
    ...messages.map((message) => ({
      company,
      at: TODAY - diceOf(message.email).between(0, 10) * DAY,
      by: VISITOR,
      does: 'leave message' as const,
      ...message,
    })),
    ...orders.map(({ by, planId, channel, week }) => ({
      company,
      at: week === 'now' ? TODAY : week * WEEK + diceOf(`${by} ${planId}`).between(0, 4 * DAY),
      by,
      does: 'check out' as const,
      planId,
      channel,
      isOpen: week === 'now',
    })),
  ]
}

/** Who has no account. */
export const VISITOR = 'a visitor'

/** An article and what was said about it, up to the end of the story. */
function tellArticle(company: string, editor: string, { comments, week, title, ...article }: Article): Step[] {
  const dice = diceOf(title)
  let at = week === 'draft' ? TODAY - 2 * DAY : week * WEEK + dice.between(0, 3 * DAY)
  const common = { company, article: title }
  const status = week === 'draft' ? 'draft' : 'published'
  const steps: Step[] = [{ ...common, at, by: editor, does: 'write article', ...article, status }]
  for (const line of comments) {
    const [by, ...words] = line.replace(HIDDEN, '').split(': ') as [string, ...string[]]
    const content = words.join(': ')
    at += dice.between(60, 2 * DAY)
    steps.push({ ...common, at, by, does: 'comment article', content })
    if (line.startsWith(HIDDEN)) steps.push({ ...common, at: at + 90, by: editor, does: 'hide comment', content })
  }
  return steps.filter(({ at }) => at < TODAY)
}

const HIDDEN = '(hidden) '
