import { columnsOf, paginate, type RowOf, write, writeReturning } from '#atrium'
import type { NameCopy } from '#atrium/people'
import type { CommentStatus } from './comments.schemas.ts'

const columns = columnsOf('comments', ['id', 'articleId', 'username', 'content', 'createdAt'])

export const listPublishedComments = paginate(
  (from, p: { articleId: number }) =>
    from('comments')
      .select(columns)
      .where('comments.articleId', '=', p.articleId)
      .where('comments.status', '=', 'published'),
  'comments.id',
)

/** For moderators: comments with any status. */
export const listAllComments = paginate(
  (from, p: { articleId?: number; status?: CommentStatus }) =>
    from('comments')
      .select([...columns, 'comments.status'])
      .$if(p.articleId !== undefined, (query) => query.where('comments.articleId', '=', p.articleId!))
      .$if(p.status !== undefined, (query) => query.where('comments.status', '=', p.status!)),
  'comments.id',
)

export const insertComment = write(({ insert }, p: RowOf<'comments', 'status'>) => insert('comments', p), {
  announces: 'content',
})

export const renameCommenter = write(
  ({ update }, p: NameCopy) => update('comments').set({ username: p.username }).where('comments.userId', '=', p.userId),
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
