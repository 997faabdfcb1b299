import { arrayQuery, idInPathOf, longText, view, z } from '#atrium'

export const CommentStatus = z.enum(['published', 'hidden']).meta({ id: 'BlogCommentStatus' })
export type CommentStatus = z.infer<typeof CommentStatus>

export const CommentDraft = z.object({ content: longText(1000) }).meta({ id: 'BlogCommentDraft' })
export const CommentPatch = z.object({ status: CommentStatus }).meta({ id: 'BlogCommentPatch' })
export const CommentQuery = arrayQuery({})
export const ModerationQuery = arrayQuery({
  articleId: idInPathOf('articles').optional(),
  status: CommentStatus.optional(),
})

const fields = {
  id: view.id,
  articleId: view.id,
  username: view.person,
  content: view.text,
  createdAt: view.instant,
}
export const CommentView = z
  .object(fields)
  .meta({ id: 'BlogComment', examples: [{ id: 64, articleId: 8, content: 'The boards really are faster.' }] })
export const ModeratedCommentView = z.object({ ...fields, status: CommentStatus }).meta({
  id: 'ModeratedComment',
  examples: [{ id: 64, articleId: 8, content: 'The boards really are faster.', status: 'hidden' }],
})
