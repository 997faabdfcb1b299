import { type Caller, get, refusal, type Trip } from './tour-callers.ts'
import { hold } from './tour-guide.ts'

/** The pages of two tenants, at the same address. */
export async function twoPortals(trip: Trip, neighbour: Caller, code: string) {
  const { chapter, tell } = trip
  chapter('Two portals')
  const across = { 'X-Tenant-Code': code }
  const home = {
    highlights: [{ title: 'Another bench', description: 'With a view of the first one.' }],
    stats: [{ label: 'Benches', value: '1' }],
    testimonials: [],
  }
  await tell(
    'The neighbour writes a page of their own.',
    neighbour.put('/content/portal/home', home),
    200,
    firstHighlight,
  )
  await tell('Anybody reads it, who names the tenant,', get('/public/home', across), 200, (page) => {
    hold(page.highlights[0].title === 'Another bench', 'the page just written')
    return firstHighlight(page)
  })
  await tell('… and at the same address, unnamed, the other one.', get('/public/home'), 200, (page) => {
    hold(page.highlights[0]?.title !== 'Another bench', 'another page')
    return firstHighlight(page)
  })
  await tell(
    'A tenant that never was.',
    get('/public/home', { 'X-Tenant-Code': 'nowhere-at-all' }),
    [404, 'TENANT_NOT_FOUND'],
    refusal,
  )
}

/** An article, a comment, and what becomes of it. */
export async function aBlog(trip: Trip, neighbour: Caller, code: string) {
  const { chapter, tell } = trip
  chapter('A blog')
  const across = { 'X-Tenant-Code': code }
  const article = await tell(
    'An article is drafted,',
    neighbour.post('/content/articles', { title: 'How to sit', content: ['Down, and slowly.'], tags: ['benches'] }),
    201,
    (made) => `article ${made.id}, ${made.status}`,
  )
  const reading = () => get(`/public/blog/${article.id}`, across)
  await tell('… which nobody sees yet,', reading(), [404, 'NOT_FOUND'], refusal)
  await tell(
    '… until it is published.',
    neighbour.put(`/content/articles/${article.id}`, { status: 'published' }),
    200,
    (made) => `${made.status} on ${made.date}`,
  )
  await tell('Now anybody reads it,', reading(), 200, (post) => `“${post.title}”: ${post.excerpt}`)
  await tell(
    '… but on the pages of the other tenant it is not.',
    get(`/public/blog/${article.id}`),
    [404, 'NOT_FOUND'],
    refusal,
  )
  const comments = (wanted: number) => (list: any[]) => {
    hold(list.length === wanted, `${wanted} comments, not ${list.length}`)
    return list.map((one) => `${one.username}: “${one.content}”`).join('\n') || 'none'
  }
  const comment = await tell(
    'Who is signed in has something to say.',
    neighbour.post(`/blog/${article.id}/comments`, { content: 'Mind the paint.' }),
    201,
    (made) => `comment ${made.id}`,
  )
  await tell('Everybody reads it,', get(`/public/blog/${article.id}/comments`, across), 200, comments(1))
  await tell(
    '… until it is hidden.',
    neighbour.put(`/content/comments/${comment.id}`, { status: 'hidden' }),
    200,
    (made) => made.status,
  )
  await tell('Gone.', get(`/public/blog/${article.id}/comments`, across), 200, comments(0))
}

/** A plan is ordered. */
export async function anOrder(trip: Trip, neighbour: Caller, guest: Caller, code: string) {
  const { chapter, tell } = trip
  chapter('An order')
  const across = { 'X-Tenant-Code': code }
  const plans = await tell('What does it cost?', get('/public/pricing', across), 200, (plans) =>
    plans
      .map((plan: any) => `${String(plan.id).padEnd(4)}${plan.name.padEnd(12)}${plan.price} ${plan.period}`)
      .join('\n'),
  )
  const plan = plans.find(({ amountCents }: any) => amountCents > 0)
  const free = plans.find(({ amountCents }: any) => amountCents === 0)
  const order = await tell(
    'The neighbour orders, at the price of the plan.',
    neighbour.post('/payments/checkout', { planId: plan.id, channel: 'card', amountCents: 1 }),
    201,
    (made) => {
      hold(made.amountCents === plan.amountCents && made.status === 'pending', `${plan.amountCents} cents, pending`)
      return `${made.orderNo}: ${made.planName}, ${made.amountCents / 100} ${made.currency}, until ${made.expiresAt}`
    },
  )
  await tell(
    'The order can be looked up by its number,',
    neighbour.get(`/payments/orders/${order.orderNo}`),
    200,
    (found) => {
      hold(found.id === order.id, 'the same order')
      return `${found.status}, pay at ${found.checkoutUrl}`
    },
  )
  await tell('… by its buyer alone.', guest.get(`/payments/orders/${order.orderNo}`), [404, 'NOT_FOUND'], refusal)
  if (free)
    await tell(
      'What is free cannot be bought.',
      neighbour.post('/payments/checkout', { planId: free.id, channel: 'card' }),
      [400, 'PLAN_NOT_PAYABLE'],
      refusal,
    )
}

function firstHighlight({ highlights: [first] }: any): string {
  return first ? `“${first.title}”` : 'an empty page'
}
