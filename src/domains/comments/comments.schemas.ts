import { arrayQuery, IdInPath, idInPathOf, longText, view, z } from '#atrium'

export const CommentStatus = z.enum(['published', 'hidden']).meta({ id: 'BlogCommentStatus' })
export type CommentStatus = z.infer<typeof CommentStatus>

export const CommentDraft = z.object({ content: longText(1000) }).meta({ id: 'BlogCommentDraft' })
export const CommentPatch = z.object({ status: CommentStatus }).meta({ id: 'BlogCommentPatch' })
export const CommentParams = z.object({ id: IdInPath, commentId: idInPathOf('blog/:id/comments') })
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
  editedAt: view.maybeInstant,
}
const example = { id: 64, articleId: 8, content: 'The boards really are faster.', editedAt: null }
export const CommentView = z.object(fields).meta({ id: 'BlogComment', examples: [example] })
export const ModeratedCommentView = z
  .object({ ...fields, status: CommentStatus, deletedAt: view.maybeInstant })
  .meta({ id: 'ModeratedComment', examples: [{ ...example, status: 'hidden', deletedAt: null }] })
