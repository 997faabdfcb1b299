import { assertAtHome, fail, nextId, notFound, type Tx } from '#atrium'
import { shareLockPost } from '#atrium/content'
import type { CommentStatus } from './comments.schemas.ts'
import { insertComment, saveCommentStatus } from './comments.store.ts'

const commentNotFound = notFound('Comment')

/** Comments on a published article; the comment is public immediately. @throws NOT_FOUND (article), NOT_IN_TENANT */
export async function addComment(tx: Tx, articleId: number, content: string) {
  const [, id] = await tx.inOrder([shareLockPost(tx, { id: articleId }), nextId(tx, 'comments')])
  assertAtHome(tx)
  const comment = { id, articleId, content, createdAt: tx.now }
  insertComment(tx, { ...comment, userId: tx.actor.id })
  tx.record({ event: 'comment.created', subject: id, data: { articleId } })
  return { ...comment, username: tx.actor.username }
}

/** Hides a comment from the public, or shows it again. @throws NOT_FOUND */
export async function moderateComment(tx: Tx, id: number, status: CommentStatus) {
  const { rows } = await saveCommentStatus(tx, { id, status })
  const comment = rows[0] ?? fail(commentNotFound())
  tx.record({ event: 'comment.moderated', subject: id, data: { articleId: comment.articleId, status } })
  return comment
}
