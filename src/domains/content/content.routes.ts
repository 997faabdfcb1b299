import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { containing, IdParams, numberedPageRequest, pageRequestOf, z } from '#atrium'
import { fileFaults } from '#atrium/files'
import { getCategory, listCategories, MOST_ARTICLES_COUNTED } from './categories.store.ts'
import {
  createArticle,
  createCategory,
  deleteArticle,
  deleteCategory,
  updateArticle,
  updateCategory,
} from './content.actions.ts'
import { categoryState, contentFaults } from './content.rules.ts'
import {
  ArticleDraft,
  ArticlePage,
  ArticlePatch,
  ArticleQuery,
  ArticleView,
  CategoryDraft,
  CategoryPatch,
  CategoryQuery,
  CategoryView,
} from './content.schemas.ts'
import { articlesSeenBy, getArticle, listArticles } from './content.store.ts'

/** Articles and their categories. Every signed-in person reads published ones; writers read their own drafts, holders of content:list all. */
export const contentRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/content/articles',
    {
      config: { access: 'signed-in', list: 'articles' },
      schema: {
        operationId: 'listArticles',
        summary: 'List articles',
        description: "Newest first. Without `content:list`, only published articles and the caller's own.",
        querystring: ArticleQuery,
        response: { 200: ArticlePage },
      },
    },
    async (req, reply) => {
      const { keyword, categoryId, status } = req.query
      const filter = { categoryId, status, pattern: keyword && containing(keyword) }
      const request = numberedPageRequest(req.query)
      return reply.page(await listArticles(req.scope, { ...articlesSeenBy(req.user), ...filter }, request))
    },
  )

  app.get(
    '/content/articles/:id',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'getArticle',
        summary: 'Read an article',
        description: 'Without `content:list`, a draft is visible only to its author.',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: ArticleView },
      },
    },
    async (req, reply) =>
      reply.versioned(await getArticle(req.scope, { id: req.params.id, ...articlesSeenBy(req.user) })),
  )

  app.post(
    '/content/articles',
    {
      config: { access: 'content:create', counts: 'article_created' },
      schema: {
        operationId: 'createArticle',
        summary: 'Write an article',
        description: 'The article is a draft unless `status` says otherwise.',
        body: ArticleDraft,
        response: { 201: ArticleView },
        sends: ['Location'],
        refuses: [contentFaults.categoryNotFound, fileFaults.notYoursToPublish],
      },
    },
    async (req, reply) => {
      const article = await req.transact((tx) => createArticle(tx, req.body))
      return reply.created(`/content/articles/${article.id}`, reply.versioned(article))
    },
  )

  app.put(
    '/content/articles/:id',
    {
      config: { access: 'content:update', versionIn: 'nowhere' },
      schema: {
        operationId: 'updateArticle',
        summary: 'Update an article',
        description:
          'Omitted fields stay. The date is the day of the first publication and does not change afterwards.',
        params: IdParams,
        body: ArticlePatch,
        response: { 200: ArticleView },
        refuses: [fileFaults.notYoursToPublish],
      },
    },
    async (req, reply) => {
      const patch = { ...req.body, ifMatch: req.ifMatch }
      return reply.versioned(await req.transact((tx) => updateArticle(tx, req.params.id, patch)))
    },
  )

  app.delete(
    '/content/articles/:id',
    {
      config: { access: 'content:delete', versionIn: 'nowhere' },
      schema: {
        operationId: 'deleteArticle',
        summary: 'Delete an article with its comments',
        params: IdParams,
        response: { 200: z.null() },
      },
    },
    (req) => req.transact((tx) => deleteArticle(tx, req.params.id, req)).then(() => null),
  )

  app.get(
    '/content/categories',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listCategories',
        summary: 'List categories',
        description: 'Ordered by id, with the number of articles that the caller may see, counted up to 1000 for each.',
        querystring: CategoryQuery,
        response: { 200: z.array(CategoryView) },
      },
    },
    async (req, reply) => {
      const categories = reply.list(await listCategories(req.scope, articlesSeenBy(req.user), pageRequestOf(req.query)))
      if (categories.some(({ articleCount }) => articleCount > MOST_ARTICLES_COUNTED)) reply.truncated('articleCount')
      return categories.map((category) => ({
        ...category,
        articleCount: Math.min(category.articleCount, MOST_ARTICLES_COUNTED),
      }))
    },
  )

  app.get(
    '/content/categories/:id',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'getCategory',
        summary: 'Read a category',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: CategoryView },
      },
    },
    async (req, reply) => {
      const category = await getCategory(req.scope, { id: req.params.id, ...articlesSeenBy(req.user) })
      return reply.fingerprinted(category, categoryState(category))
    },
  )

  app.post(
    '/content/categories',
    {
      config: { access: 'content:create' },
      schema: {
        operationId: 'createCategory',
        summary: 'Create a category',
        body: CategoryDraft,
        response: { 201: CategoryView },
        sends: ['Location'],
        refuses: [contentFaults.categoryTaken],
      },
    },
    async (req, reply) => {
      const category = await req.transact((tx) => createCategory(tx, req.body))
      return reply.created(`/content/categories/${category.id}`, reply.fingerprinted(category, categoryState(category)))
    },
  )

  app.put(
    '/content/categories/:id',
    {
      config: { access: 'content:update', versionIn: 'nowhere' },
      schema: {
        operationId: 'updateCategory',
        summary: 'Update a category',
        params: IdParams,
        body: CategoryPatch,
        response: { 200: CategoryView },
        refuses: [contentFaults.categoryTaken],
      },
    },
    async (req, reply) => {
      const category = await req.transact((tx) => updateCategory(tx, req.params.id, req.body, req))
      return reply.fingerprinted(category, categoryState(category))
    },
  )

  app.delete(
    '/content/categories/:id',
    {
      config: { access: 'content:delete', versionIn: 'nowhere' },
      schema: {
        operationId: 'deleteCategory',
        summary: 'Delete a category',
        description: 'Only if it contains no articles.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [contentFaults.categoryNotEmpty],
      },
    },
    (req) => req.transact((tx) => deleteCategory(tx, req.params.id, req)).then(() => null),
  )
}
