import type { Actor, Tx } from '#atrium'
import { seedArticle, seedCategory } from './content.store.ts'

const CATEGORIES = [
  { name: 'Product', slug: 'product', description: 'What is new, and why it was made that way.' },
  { name: 'Technology', slug: 'tech', description: 'How the service is built, with figures.' },
  { name: 'Team', slug: 'team', description: 'How we work together.' },
  { name: 'Announcements', slug: 'announcement', description: 'Dates, prices and other things worth knowing in time.' },
]

/** Oldest first, as their ids are. `age` in days before the first start, so that what is written today comes first. */
const ARTICLES = [
  {
    age: 122,
    category: 'announcement',
    title: 'Atrium is open to every team',
    author: 'Mara Lindqvist',
    summary: 'After a year with forty pilot customers, anybody can sign up today.',
    tags: ['launch'],
    content: [
      'For a year we have worked with forty teams who ran their projects, approvals and portals on early versions of Atrium. Today everybody can.',
      'A new workspace takes less than a minute: name your organization, invite your people, and the first project is yours. Nothing has to be installed.',
      'Thank you to everyone who told us plainly what did not work. Most of what you asked for is in.',
    ],
  },
  {
    age: 104,
    category: 'product',
    title: 'Approvals that say who is next',
    author: 'Jonas Weber',
    summary: 'A request now always shows whose decision it waits for, and since when.',
    tags: ['approvals', 'release'],
    content: [
      'The question we heard most often about approvals was a short one: where is it stuck? A request now answers that by itself.',
      'First the leader of the department decides, then any administrator. Whoever is next is told at once, and the applicant sees each step with its comment.',
      'When a leader changes, open requests pass to the successor. Nothing has to be submitted twice.',
    ],
  },
  {
    age: 87,
    category: 'tech',
    title: 'One round trip is enough',
    author: 'Chen Rui',
    summary: 'How we send a whole transaction to the database in one batch, and what it saved.',
    tags: ['performance', 'postgresql'],
    content: [
      'A transaction of four statements used to cost us four waits on the network. None of them did any work; they only passed the time.',
      'PostgreSQL has long been able to take several statements with a single synchronisation point. We send the tenant, the change, its history and the commit together, and wait once.',
      'Writes became twice as fast on the same machine. Reads gained a little too, because row security no longer needs a conversation of its own.',
    ],
  },
  {
    age: 69,
    category: 'team',
    title: 'Meetings we no longer have',
    author: 'Amina Diallo',
    summary: 'Three standing meetings became three pages. What we lost, and what we did not.',
    tags: ['remote', 'writing'],
    content: [
      'We are spread over six time zones, so a meeting for all is early for some and late for others. In spring we cancelled three of them.',
      'The weekly status became a page that everybody fills in before noon. The planning became comments on the tasks themselves. The demo became short films.',
      'What we missed was laughing together. So there is one call left, on Thursdays, without an agenda.',
    ],
  },
  {
    age: 51,
    category: 'product',
    title: 'Your portal, in your own words',
    author: 'Jonas Weber',
    summary: 'Every workspace now has a public portal with its own pages, prices and blog.',
    tags: ['portal', 'release'],
    content: [
      'Until now the public pages were ours, with your name on them. From today they are yours: home, features, prices, questions, documentation and the page about your team.',
      'Each page can be replaced on its own. What you send is checked against the shape the page needs, so a typing error never takes the portal down.',
      'Changes show with the very next visit.',
    ],
  },
  {
    age: 38,
    category: 'tech',
    title: 'Three walls between tenants',
    author: 'Priya Raman',
    summary: 'Types, keys and row security: why we trust none of them alone.',
    tags: ['security', 'postgresql'],
    content: [
      'A forgotten filter is the classic mistake of a service with many customers. We assumed that we would make it, and built so that it does not matter.',
      'The first wall is the type system: code that does not name a tenant does not compile. The second are keys that begin with the tenant, so no row can point into another one. The third is the database, which hides foreign rows from the service itself.',
      'We break each wall on purpose in our tests, one at a time, and the other two have to hold.',
    ],
  },
  {
    age: 24,
    category: 'team',
    title: 'How we review a change',
    author: 'Chen Rui',
    summary: 'Small, explained, and read by somebody who was not in the room.',
    tags: ['engineering', 'writing'],
    content: [
      'A change that needs a meeting to be understood is too large. We ask for the smallest one that stands on its own.',
      'The description says why; the code says how. If a reviewer asks a question, the answer goes into the code and not into the conversation.',
      'And the person who reviews was not part of the discussion. They read what everybody will read in two years.',
    ],
  },
  {
    age: 9,
    category: 'announcement',
    title: 'Prices stay as they are next year',
    author: 'Mara Lindqvist',
    summary: 'No change to any plan until the end of next year, and a longer trial.',
    tags: ['pricing'],
    content: [
      'We have been asked whether prices will rise with the new portal. They will not: every plan keeps its price until the end of next year.',
      'The trial of the team plan is now thirty days instead of fourteen, because the first two weeks of a new tool are rarely typical.',
    ],
  },
  {
    age: 2,
    category: 'product',
    status: 'draft' as const,
    title: 'What we plan for the spring',
    author: 'Jonas Weber',
    summary: 'A first look at calendars, recurring tasks and offline reading.',
    tags: ['roadmap'],
    content: [
      'This is a draft: dates are missing, and the part about calendars needs another look by the team.',
      'Recurring tasks come first, because they are asked for most. Offline reading follows when the new client is through its trial.',
    ],
  },
]

/** Writes the first tenant's categories and articles where they are not, in one flight. */
export function seedArticles(tx: Tx<Actor>): void {
  const at = { createdAt: tx.now, updatedAt: tx.now }
  for (const [index, category] of CATEGORIES.entries())
    seedCategory(tx, { id: index + 1, status: 'active', ...category, ...at })
  for (const [index, { age, category, status = 'published', ...article }] of ARTICLES.entries()) {
    const date = daysBefore(tx.now, age)
    seedArticle(tx, {
      id: index + 1,
      ...article,
      categoryId: CATEGORIES.findIndex(({ slug }) => slug === category) + 1,
      status,
      cover: null,
      version: 0,
      date,
      publishedAt: status === 'published' ? `${date}T00:00:00.000Z` : null,
      writerId: null,
      ...at,
    })
  }
}

function daysBefore(now: string, days: number): string {
  return new Date(Date.parse(now) - days * 86_400_000).toISOString().slice(0, 10)
}
