import { changeQuotation, nameOf, nextId, type Tx } from '#atrium'
import { findAvatar } from '#atrium/people'
import { projectsSeenBy } from '#atrium/projects'
import { loadInvolved } from '../tasks.actions.ts'
import { getTask } from '../tasks.store.ts'
import { assertMayChange, type Deed, quoteOf } from './task-comments.rules.ts'
import type { CommentView } from './task-comments.schemas.ts'
import { getComment, insertComment, saveComment } from './task-comments.store.ts'

/** Adds a comment, also to a finished task. @throws NOT_FOUND */
export async function addComment(tx: Tx, taskId: number, content: string): Promise<CommentView> {
  const [task, id, involved, picture] = await Promise.all([
    getTask(tx, { id: taskId, ...projectsSeenBy(tx.actor) }),
    nextId(tx, 'taskComments'),
    loadInvolved(tx, taskId),
    findAvatar(tx, { id: tx.actor.id }),
  ])
  const comment = { id, taskId, authorId: tx.actor.id, content, createdAt: tx.now }
  insertComment(tx, comment)
  const { projectId, version } = task
  tx.record({
    event: 'task.commented',
    subject: taskId,
    data: { projectId, commentId: id },
    history: { projectId, taskId, action: 'COMMENT_ADDED', newValue: String(id), version },
  })
  tx.notify({
    type: 'TASK_COMMENTED',
    facts: { title: task.title },
    content: quoteOf(content),
    resourceType: 'task',
    resourceId: taskId,
    receivers: involved(task),
  })
  const author = { authorName: nameOf(tx.actor), authorAvatarUrl: picture?.avatarUrl ?? null }
  return { ...comment, ...author, editedAt: null, deletedAt: null }
}

/** What a path names a comment by. */
interface Place {
  id: number
  commentId: number
}

/** Changes the text of one's own comment, and of what notifications quote of it. @throws NOT_FOUND, NOT_AUTHOR */
export async function editComment(tx: Tx, place: Place, content: string): Promise<CommentView> {
  const comment = await load(tx, place, 'edit')
  if (content === comment.content) return comment
  const edited = { ...comment, content, editedAt: tx.now }
  save(tx, edited, { event: 'task.comment_edited', action: 'COMMENT_EDITED', was: comment.content })
  return edited
}

/** Removes the text of a comment, also from notifications; that it was there stays. @throws NOT_FOUND, NOT_AUTHOR */
export async function deleteComment(tx: Tx, place: Place): Promise<void> {
  const comment = await load(tx, place, 'delete')
  const deleted = { ...comment, content: '', deletedAt: tx.now }
  save(tx, deleted, { event: 'task.comment_deleted', action: 'COMMENT_DELETED', was: comment.content })
}

async function load(tx: Tx, { id: taskId, commentId }: Place, deed: Deed) {
  const comment = await getComment(tx, { ...projectsSeenBy(tx.actor), taskId, id: commentId })
  assertMayChange(comment, deed, tx.actor)
  return comment
}

interface Change {
  event: 'task.comment_edited' | 'task.comment_deleted'
  action: 'COMMENT_EDITED' | 'COMMENT_DELETED'
  /** the text before */
  was: string
}

/** Saves a changed comment and what is quoted of it. */
function save(tx: Tx, comment: Awaited<ReturnType<typeof load>>, { event, action, was }: Change): void {
  const { id, taskId, projectId, version, content, createdAt, editedAt, deletedAt } = comment
  saveComment(tx, { id, content, editedAt, deletedAt, was })
  tx.record({
    event,
    subject: taskId,
    data: { projectId, commentId: id },
    history: { projectId, taskId, action, newValue: String(id), version },
  })
  const quotation = { resourceType: 'task', resourceId: taskId, createdAt }
  changeQuotation(tx, { ...quotation, quoted: quoteOf(was), instead: quoteOf(content) || null })
}
