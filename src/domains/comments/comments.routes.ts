import { type DomainRoutes, faults, IdParams, pageRequestOf, z } from '#atrium'
import { getPost } from '#atrium/content'
import { addComment, deleteComment, editComment, moderateComment } from './comments.actions.ts'
import { commentFaults } from './comments.rules.ts'
import {
  CommentDraft,
  CommentParams,
  CommentPatch,
  CommentQuery,
  CommentView,
  ModeratedCommentView,
  ModerationQuery,
} from './comments.schemas.ts'
import { listAllComments, listPublishedComments } from './comments.store.ts'

/** Public comments of signed-in people on posts. */
export const commentRoutes: DomainRoutes = async (app, { config }) => {
  const comments = { name: 'comment', most: config.commentLimit, windowMs: 60_000 }

  app.get(
    '/public/blog/:id/comments',
    {
      config: {
        access: 'anyone',
        inLanguages: true,
        keeps: (_, { page, pageSize, before, after }) => (page ?? pageSize ?? before ?? after) === undefined,
      },
      schema: {
        operationId: 'listBlogComments',
        summary: 'Read the comments on a post',
        description: 'Newest first.',
        params: IdParams,
        querystring: CommentQuery,
        response: { 200: z.array(CommentView) },
      },
    },
    async (req, reply) => {
      const articleId = req.params.id
      const [comments] = await Promise.all([
        listPublishedComments(req.scope, { articleId }, pageRequestOf(req.query)),
        getPost(req.scope, { id: articleId }),
      ])
      return reply.list(comments)
    },
  )

  app.post(
    '/blog/:id/comments',
    {
      config: { access: 'signed-in', limit: comments },
      schema: {
        operationId: 'addBlogComment',
        summary: 'Comment on a post',
        description: 'It is published immediately.',
        params: IdParams,
        body: CommentDraft,
        response: { 201: CommentView },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [faults.notInTenant],
      },
    },
    (req) => req.transact((tx) => addComment(tx, req.params.id, req.body.content)),
  )

  app.put(
    '/blog/:id/comments/:commentId',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'editBlogComment',
        summary: 'Edit a comment on a post',
        description: 'Only by its author. A hidden comment stays hidden. The same text changes nothing.',
        params: CommentParams,
        body: CommentDraft,
        response: { 200: CommentView },
        refuses: [commentFaults.notFound, commentFaults.notAuthor],
      },
    },
    (req) => req.transact((tx) => editComment(tx, req.params, req.body.content)),
  )

  app.delete(
    '/blog/:id/comments/:commentId',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'deleteBlogComment',
        summary: 'Delete a comment on a post',
        description:
          'By its author and by holders of `content:update`. Its text is removed; only the list of all comments shows that it was there.',
        params: CommentParams,
        response: { 200: z.null() },
        refuses: [commentFaults.notFound, commentFaults.notAuthor],
      },
    },
    (req) => req.transact((tx) => deleteComment(tx, req.params)).then(() => null),
  )

  app.get(
    '/content/comments',
    {
      config: { access: 'content:update' },
      schema: {
        operationId: 'listComments',
        summary: 'List comments for moderation',
        description: 'Comments of all posts, newest first: hidden ones too, and deleted ones without their text.',
        querystring: ModerationQuery,
        response: { 200: z.array(ModeratedCommentView) },
      },
    },
    async (req, reply) => {
      const { articleId, status } = req.query
      const filter = { ...(articleId && { articleId }), ...(status && { status }) }
      return reply.list(await listAllComments(req.scope, filter, pageRequestOf(req.query)))
    },
  )

  app.put(
    '/content/comments/:id',
    {
      config: { access: 'content:update' },
      schema: {
        operationId: 'moderateBlogComment',
        summary: 'Hide a comment or show it again',
        description:
          'A hidden comment is visible only in the list of all comments. A deleted one cannot be shown again.',
        params: IdParams,
        body: CommentPatch,
        response: { 200: ModeratedCommentView },
      },
    },
    (req) => req.transact((tx) => moderateComment(tx, req.params.id, req.body.status)),
  )
}
