import { event, view, z } from '#atrium'
import { CommentStatus } from './comments.schemas.ts'

export const commentEvents = {
  'comment.created': event('Somebody commented on an article.', z.object({ articleId: view.id }), { articleId: 12 }),
  'comment.moderated': event(
    'A comment was hidden from the public, or shown again.',
    z.object({ articleId: view.id, status: CommentStatus }),
    { articleId: 12, status: 'hidden' },
  ),
} as const
