import { type Atrium, addressOf, type PortalSection } from '../../../client/index.ts'
import type { Tour } from '../cast.ts'
import { expect } from '../guide.ts'

/** What the public reads: pages, an article with its picture, comments. */
export async function tellPages(tour: Tour, neighbour: Atrium, tenant: string): Promise<void> {
  const { chapter, tell, refused, visitor } = tour

  chapter('Two portals')
  const bench = { title: 'Another bench', description: 'With a view of the first one.' }
  const body = { highlights: [bench], stats: [{ label: 'Benches', value: '1' }], testimonials: [] }
  const write = () => neighbour.replacePortalSection({ section: 'home', body })
  await tell('The neighbour writes a page of their own.', write, 200, firstHighlight)
  const page = (mine: boolean) => (home: PortalSection) => {
    expect((firstHighlight(home) === `“${bench.title}”`) === mine, mine ? 'the page just written' : 'another page')
    return firstHighlight(home)
  }
  await tell('Anybody reads it, who names the tenant,', () => visitor(tenant).getPublicHome(), 200, page(true))
  await tell('… and at the same address, unnamed, the other one.', () => visitor().getPublicHome(), 200, page(false))
  await refused('A tenant that never was.', () => visitor('nowhere-at-all').getPublicHome(), [404, 'TENANT_NOT_FOUND'])

  chapter('A blog')
  const sitting = { title: 'How to sit', content: ['Down, and slowly.'], tags: ['benches'] }
  const draft = () => neighbour.createArticle({ body: sitting })
  const post = await tell('An article is drafted,', draft, 201, { status: 'draft' })
  const reader = visitor(tenant)
  const read = () => reader.getBlogPost({ id: post.id })
  await refused('… which nobody sees yet,', read, [404, 'NOT_FOUND'])
  const plan = new File(['One bench, seen from above.\n'], 'Where to sit.txt')
  const upload = () => neighbour.uploadFile({ body: { file: plan } })
  const place = addressOf(await tell('A file', upload, 201, { size: plan.size }))
  const belongs = { resourceType: 'article', resourceId: post.id } as const
  await tell('… is attached to it,', () => neighbour.attachFile({ ...place, body: belongs }), 200, belongs)
  const open = () => visitor().downloadPublicFile(place)
  await refused('… and is no more public than the article.', open, [404, 'NOT_FOUND'])
  const publish = () => neighbour.updateArticle({ id: post.id, body: { status: 'published' } })
  await tell('… until it is published.', publish, 200, { status: 'published' })
  await tell('Now anybody reads it,', read, 200, { title: 'How to sit' })
  await tell('… and opens its file, without a token.', open, 200, async (answer) => {
    expect((await answer.text()) === 'One bench, seen from above.\n', 'the bytes of the file')
    return `${answer.headers.get('content-type')}; ${answer.headers.get('cache-control')}`
  })
  const elsewhere = () => visitor().getBlogPost({ id: post.id })
  await refused('… but on the pages of the other tenant it is not.', elsewhere, [404, 'NOT_FOUND'])
  const said = { content: 'Mind the paint.' }
  const comment = () => neighbour.addBlogComment({ id: post.id, body: said })
  const { id: commentId } = await tell('Who is signed in has something to say.', comment, 201, said)
  const mended = { content: 'Mind the wet paint.' }
  const mend = () => neighbour.editBlogComment({ id: post.id, commentId, body: mended })
  await tell('… and says it better.', mend, 200, mended)
  const comments = () => reader.listBlogComments({ id: post.id })
  await tell('Everybody reads it,', comments, 200, { length: 1 })
  const hide = () => neighbour.moderateBlogComment({ id: commentId, body: { status: 'hidden' } })
  await tell('… until it is hidden.', hide, 200, { status: 'hidden' })
  await tell('Gone.', comments, 200, { length: 0 })
  const remove = () => neighbour.deleteBlogComment({ id: post.id, commentId })
  await tell('Deleted, its text is nowhere any more.', remove, 200, {})
}

function firstHighlight(page: PortalSection): string {
  const [first] = 'highlights' in page ? page.highlights : []
  return first ? `“${first.title}”` : 'an empty page'
}
