import type { Atrium, BlogComment, PortalHome, PortalSection } from '../../client/index.ts'
import { hold } from './guide.ts'
import type { Trip } from './trip.ts'

/** The pages of two tenants, at the same address. */
export async function twoPortals({ chapter, tell, refused, visitor }: Trip, neighbour: Atrium, code: string) {
  chapter('Two portals')
  const home: PortalHome = {
    highlights: [{ title: 'Another bench', description: 'With a view of the first one.' }],
    stats: [{ label: 'Benches', value: '1' }],
    testimonials: [],
  }
  await tell(
    'The neighbour writes a page of their own.',
    () => neighbour.replacePortalSection({ section: 'home', body: home }),
    200,
    firstHighlight,
  )
  await tell(
    'Anybody reads it, who names the tenant,',
    () => visitor(code).getPublicHome(),
    200,
    (page) => {
      hold(page.highlights[0]?.title === 'Another bench', 'the page just written')
      return firstHighlight(page)
    },
  )
  await tell(
    '… and at the same address, unnamed, the other one.',
    () => visitor().getPublicHome(),
    200,
    (page) => {
      hold(page.highlights[0]?.title !== 'Another bench', 'another page')
      return firstHighlight(page)
    },
  )
  await refused('A tenant that never was.', () => visitor('nowhere-at-all').getPublicHome(), [404, 'TENANT_NOT_FOUND'])
}

/** An article, a comment, and what becomes of it. */
export async function aBlog({ chapter, tell, refused, visitor }: Trip, neighbour: Atrium, code: string) {
  chapter('A blog')
  const { id } = await tell(
    'An article is drafted,',
    () => neighbour.createArticle({ body: { title: 'How to sit', content: ['Down, and slowly.'], tags: ['benches'] } }),
    201,
    (made) => `article ${made.id}, ${made.status}`,
  )
  const reader = visitor(code)
  await refused('… which nobody sees yet,', () => reader.getBlogPost({ id }), [404, 'NOT_FOUND'])
  await tell(
    '… until it is published.',
    () => neighbour.updateArticle({ id, body: { status: 'published' } }),
    200,
    (made) => `${made.status} on ${made.date}`,
  )
  await tell(
    'Now anybody reads it,',
    () => reader.getBlogPost({ id }),
    200,
    (post) => `“${post.title}”: ${post.excerpt}`,
  )
  await refused('… but on the pages of the other tenant it is not.', () => visitor().getBlogPost({ id }), [
    404,
    'NOT_FOUND',
  ])
  const comment = await tell(
    'Who is signed in has something to say.',
    () => neighbour.addBlogComment({ id, body: { content: 'Mind the paint.' } }),
    201,
    (made) => `comment ${made.id}`,
  )
  await tell('Everybody reads it,', () => reader.listBlogComments({ id }), 200, comments(1))
  await tell(
    '… until it is hidden.',
    () => neighbour.moderateBlogComment({ id: comment.id, body: { status: 'hidden' } }),
    200,
    (made) => made.status,
  )
  await tell('Gone.', () => reader.listBlogComments({ id }), 200, comments(0))
}

/** A plan is ordered. */
export async function anOrder(trip: Trip, neighbour: Atrium, guest: Atrium, code: string) {
  const { chapter, tell, refused, visitor, run } = trip
  chapter('An order')
  const plans = await tell(
    'What does it cost?',
    () => visitor(code).listPublicPlans(),
    200,
    (plans) =>
      plans.map((plan) => `${String(plan.id).padEnd(4)}${plan.name.padEnd(12)}${plan.price} ${plan.period}`).join('\n'),
  )
  const plan = plans.find(({ amountCents }) => amountCents !== null && amountCents > 0)!
  const free = plans.find(({ amountCents }) => amountCents === 0)
  const { id, orderNo } = await tell(
    'The neighbour orders, at the price of the plan.',
    () =>
      neighbour.checkout(
        // @ts-expect-error what it costs is not for the buyer to say
        { body: { amountCents: 1, planId: plan.id, channel: 'card' } },
        { idempotencyKey: `order-${run}` },
      ),
    201,
    (made) => {
      hold(made.amountCents === plan.amountCents && made.status === 'pending', `${plan.amountCents} cents, pending`)
      return `${made.orderNo}: ${made.planName}, ${made.amountCents / 100} ${made.currency}, until ${made.expiresAt}`
    },
  )
  await tell(
    'The order can be looked up by its number,',
    () => neighbour.getOrder({ orderNo }),
    200,
    (found) => {
      hold(found.id === id, 'the same order')
      return `${found.status}, pay at ${found.checkoutUrl}`
    },
  )
  await refused('… by its buyer alone.', () => guest.getOrder({ orderNo }), [404, 'NOT_FOUND'])
  if (free)
    await refused(
      'What is free cannot be bought.',
      () => neighbour.checkout({ body: { planId: free.id, channel: 'card' } }),
      [400, 'PLAN_NOT_PAYABLE'],
    )
}

function comments(wanted: number) {
  return (list: BlogComment[]): string => {
    hold(list.length === wanted, `${wanted} comments, not ${list.length}`)
    return list.map((one) => `${one.username}: “${one.content}”`).join('\n') || 'none'
  }
}

function firstHighlight(page: PortalSection): string {
  const [first] = 'highlights' in page ? page.highlights : []
  return first ? `“${first.title}”` : 'an empty page'
}
