import { event, view, z } from '#atrium'
import { CommentStatus } from './comments.schemas.ts'

const Comment = z.object({ articleId: view.id })
const comment = { articleId: 12 }

export const commentEvents = {
  'comment.created': event('Somebody commented on an article.', Comment, comment),
  'comment.edited': event('The author of a comment on an article changed its text.', Comment, comment),
  'comment.deleted': event('A comment on an article was deleted.', Comment, comment),
  'comment.moderated': event(
    'A comment was hidden from the public, or shown again.',
    z.object({ articleId: view.id, status: CommentStatus }),
    { articleId: 12, status: 'hidden' },
  ),
} as const
