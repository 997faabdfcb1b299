import { paginate } from '../../data/sql/paginate.ts'
import { write, writeReturning } from '../../data/sql/verbs.ts'
import type { CommentStatus } from './comments.schemas.ts'

const columns = [
  'comments.id',
  'comments.articleId',
  'comments.username',
  'comments.content',
  'comments.createdAt',
] as const

export const listPublishedComments = paginate(
  (from, p: { articleId: number }) =>
    from('comments')
      .select(columns)
      .where('comments.articleId', '=', p.articleId)
      .where('comments.status', '=', 'published'),
  'comments.id',
)

export const insertComment = write(
  (
    { insert },
    p: { id: number; articleId: number; userId: number; username: string; content: string; createdAt: string },
  ) => insert('comments', p),
  { announces: 'content' },
)

export const saveCommentStatus = writeReturning(
  ({ update }, p: { id: number; status: CommentStatus }) =>
    update('comments')
      .set({ status: p.status })
      .where('comments.id', '=', p.id)
      .returning([...columns, 'comments.status']),
  { announces: 'content' },
)
