import { columnsOf, type From, paginate, type RowOf, write, writeReturning } from '#atrium'
import { usernameOfWho } from '#atrium/people'
import type { CommentStatus } from './comments.schemas.ts'

const columns = (from: From) =>
  [
    ...columnsOf('comments', ['id', 'articleId', 'content', 'createdAt']),
    usernameOfWho(from, 'comments.userId').as('username'),
  ] as const

export const listPublishedComments = paginate(
  (from, p: { articleId: number }) =>
    from('comments')
      .select(columns(from))
      .where('comments.articleId', '=', p.articleId)
      .where('comments.status', '=', 'published'),
  'comments.id',
)

/** For moderators: comments with any status. */
export const listAllComments = paginate(
  (from, p: { articleId?: number; status?: CommentStatus }) =>
    from('comments')
      .select([...columns(from), 'comments.status'])
      .$if(p.articleId !== undefined, (query) => query.where('comments.articleId', '=', p.articleId!))
      .$if(p.status !== undefined, (query) => query.where('comments.status', '=', p.status!)),
  'comments.id',
)

export const insertComment = write(({ insert }, p: RowOf<'comments', 'status'>) => insert('comments', p), {
  announces: 'content',
})

export const saveCommentStatus = writeReturning(
  ({ update, from }, p: { id: number; status: CommentStatus }) =>
    update('comments')
      .set({ status: p.status })
      .where('comments.id', '=', p.id)
      .returning([...columns(from), 'comments.status']),
  { announces: 'content' },
)
