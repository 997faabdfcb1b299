import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { containing, type FastifyReply, IdParams, numberedPageRequest, translate, type z } from '#atrium'
import { listCategoryNames, MOST_CATEGORY_NAMES } from './categories.store.ts'
import { type ArticleRead, asPost } from './content.rules.ts'
import { BlogQuery, BlogView, EVERYTHING, PostView } from './content.schemas.ts'
import { getPost, listPosts } from './posts.store.ts'

/** The public blog: the tenant's published articles. */
export const blogRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/public/blog',
    {
      config: {
        access: 'anyone',
        inLanguages: true,
        keeps: ({ items }: z.output<typeof BlogView>, { keyword }) => items.length > 0 && keyword === undefined,
      },
      schema: {
        operationId: 'listBlogPosts',
        summary: 'Read the blog',
        description:
          'Newest first. A page out of range becomes the nearest one. A page holds at most 2 MiB of content, and the next one begins after its last post. `categories` has at most 500, only active ones; posts of inactive categories are shown without theirs.',
        querystring: BlogQuery,
        sends: ['X-Truncated'],
        response: { 200: BlogView },
      },
    },
    async (req, reply) => {
      const { category, keyword } = req.query
      const filter = { category, pattern: keyword && containing(keyword) }
      const [articles, found] = await Promise.all([
        listPosts(req.scope, filter, numberedPageRequest(req.query)),
        listCategoryNames(req.scope, {}),
      ])
      const { items, ...page } = reply.page(articles)
      const categories = found.slice(0, MOST_CATEGORY_NAMES)
      if (categories.length < found.length) reply.truncated('categories')
      return {
        items: items.map((item) => postOf(item, reply)),
        ...page,
        categories: [EVERYTHING, ...categories.map(({ name }) => name)],
      }
    },
  )

  app.get(
    '/public/blog/:id',
    {
      config: { access: 'anyone', inLanguages: true, keeps: () => true },
      schema: { operationId: 'getBlogPost', summary: 'Read a post', params: IdParams, response: { 200: PostView } },
    },
    async (req, reply) => postOf(await getPost(req.scope, req.params), reply),
  )
}

/** Only a writer who has left makes the answer depend on a language; a post that names nobody stays so. */
function postOf(article: ArticleRead, reply: FastifyReply): PostView {
  const { author } = article
  return asPost({ ...article, author: author === '' ? translate(reply.inLanguage(), 'former member') : author })
}
