import {
  columnsOf,
  type From,
  find,
  type PartOf,
  paginate,
  type RowOf,
  updateIfUnchanged,
  write,
  writeReturning,
} from '#atrium'
import { usernameOfWho } from '#atrium/people'
import { commentFaults } from './comments.rules.ts'
import type { CommentStatus } from './comments.schemas.ts'

const columns = (from: From) =>
  [
    ...columnsOf('comments', ['id', 'articleId', 'content', 'createdAt', 'editedAt']),
    usernameOfWho(from, 'comments.userId').as('username'),
  ] as const

/** What moderators see besides. */
const moderated = columnsOf('comments', ['status', 'deletedAt'])

export const listPublishedComments = paginate(
  (from, p: { articleId: number }) =>
    from('comments')
      .select(columns(from))
      .where('comments.articleId', '=', p.articleId)
      .where('comments.status', '=', 'published'),
  'comments.id',
)

/** For moderators: comments with any status, and what is left of deleted ones. */
export const listAllComments = paginate(
  (from, p: { articleId?: number; status?: CommentStatus }) =>
    from('comments')
      .select([...columns(from), ...moderated])
      .$if(p.articleId !== undefined, (query) => query.where('comments.articleId', '=', p.articleId!))
      .$if(p.status !== undefined, (query) => query.where('comments.status', '=', p.status!)),
  'comments.id',
)

/** A comment, with what decides who may change it. */
export const getComment = find((from, p: { articleId: number; id: number }) =>
  from('comments')
    .select([...columns(from), ...moderated, 'comments.userId'])
    .where('comments.articleId', '=', p.articleId)
    .where('comments.id', '=', p.id),
).or(commentFaults.notFound)

export const insertComment = write(
  ({ insert }, p: RowOf<'comments', 'status' | 'editedAt' | 'deletedAt'>) => insert('comments', p),
  { announces: 'content' },
)

type Changeable = Partial<PartOf<'comments', 'status' | 'editedAt' | 'deletedAt'>>

/** Changes some columns of a comment that was read with the text `was`. A deleted one has none. */
export const saveComment = updateIfUnchanged(
  ({ update }, { id, was, ...change }: PartOf<'comments', 'id' | 'content'> & Changeable & { was: string }) =>
    update('comments').set(change).where('comments.id', '=', id).where('comments.content', '=', was),
  { announces: 'content' },
)

export const saveCommentStatus = writeReturning(
  ({ update, from }, p: { id: number; status: CommentStatus }) =>
    update('comments')
      .set({ status: p.status })
      .where('comments.id', '=', p.id)
      .where('comments.deletedAt', 'is', null)
      .returning([...columns(from), ...moderated]),
  { announces: 'content' },
)
