import { assertAtHome, fail, nextId, only, type Tx, type z } from '#atrium'
import { getPost, shareLockPost } from '#atrium/content'
import { assertMayChange, commentFaults, mayModerate } from './comments.rules.ts'
import type { CommentParams, CommentStatus } from './comments.schemas.ts'
import { getComment, insertComment, saveComment, saveCommentStatus } from './comments.store.ts'

/** Comments on a published article; the comment is public immediately. @throws NOT_FOUND (article), NOT_IN_TENANT */
export async function addComment(tx: Tx, articleId: number, content: string) {
  const [, id] = await tx.inOrder([shareLockPost(tx, { id: articleId }), nextId(tx, 'comments')])
  assertAtHome(tx)
  const comment = { id, articleId, content, createdAt: tx.now }
  insertComment(tx, { ...comment, userId: tx.actor.id })
  tx.record({ event: 'comment.created', subject: id, data: { articleId } })
  return { ...comment, username: tx.actor.username, editedAt: null }
}

/** What a path names a comment by: its article, and itself. */
type Place = z.output<typeof CommentParams>

/** Changes the text of one's own comment on a published article. @throws NOT_FOUND (article, comment), NOT_AUTHOR */
export async function editComment(tx: Tx, { id: articleId, commentId: id }: Place, content: string) {
  const [, comment] = await Promise.all([getPost(tx, { id: articleId }), getComment(tx, { articleId, id })])
  assertMayChange(comment, 'edit', tx.actor)
  if (content === comment.content) return comment
  const edited = { ...comment, content, editedAt: tx.now }
  saveComment(tx, { ...only(edited, ['id', 'content', 'editedAt']), was: comment.content })
  tx.record({ event: 'comment.edited', subject: id, data: { articleId } })
  return edited
}

/**
 * Removes the text of a comment, and hides it for good. Moderators also reach comments on articles that are not published.
 * @throws NOT_FOUND (article, comment), NOT_AUTHOR
 */
export async function deleteComment(tx: Tx, { id: articleId, commentId: id }: Place): Promise<void> {
  const [, comment] = await Promise.all([
    mayModerate(tx.actor) ? undefined : getPost(tx, { id: articleId }),
    getComment(tx, { articleId, id }),
  ])
  assertMayChange(comment, 'delete', tx.actor)
  saveComment(tx, { id, content: '', status: 'hidden', deletedAt: tx.now, was: comment.content })
  tx.record({ event: 'comment.deleted', subject: id, data: { articleId } })
}

/** Hides a comment from the public, or shows it again; not one that is deleted. @throws NOT_FOUND */
export async function moderateComment(tx: Tx, id: number, status: CommentStatus) {
  const { rows } = await saveCommentStatus(tx, { id, status })
  const comment = rows[0] ?? fail(commentFaults.notFound())
  tx.record({ event: 'comment.moderated', subject: id, data: { articleId: comment.articleId, status } })
  return comment
}
