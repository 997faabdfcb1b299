import { changeQuotation, nameOf, nextId, type Tx, type z } from '#atrium'
import { findAvatar } from '#atrium/people'
import { projectsSeenBy } from '#atrium/projects'
import { commentFields, readFields } from '../ports/comment-fields.ts'
import { readFollowers } from '../ports/followers.ts'
import { loadInvolved, tell } from '../tasks.actions.ts'
import { getTask } from '../tasks.store.ts'
import { assertMayChange, type Deed, quoteOf } from './task-comments.rules.ts'
import type { CommentDraft, CommentParams, CommentView } from './task-comments.schemas.ts'
import { getComment, insertComment, saveComment } from './task-comments.store.ts'

/** Adds a comment, also to a finished task. @throws NOT_FOUND */
export async function addComment(tx: Tx, taskId: number, draft: CommentDraft): Promise<CommentView> {
  const [task, id, involved, picture, saveFields, tellFollowers] = await Promise.all([
    getTask(tx, { id: taskId, ...projectsSeenBy(tx.actor) }),
    nextId(tx, 'taskComments'),
    loadInvolved(tx, taskId),
    findAvatar(tx, { id: tx.actor.id }),
    readFields(tx, { taskId }, draft),
    readFollowers(tx, [taskId]),
  ])
  const { content } = draft
  const comment = { id, taskId, authorId: tx.actor.id, content, createdAt: tx.now }
  insertComment(tx, comment)
  const { projectId, version } = task
  tx.record({
    event: 'task.commented',
    subject: taskId,
    data: { projectId, commentId: id },
    history: { projectId, taskId, action: 'COMMENT_ADDED', newValue: String(id), version },
  })
  const receivers = involved(task)
  const quote = quoteOf(content)
  tell(tx, 'TASK_COMMENTED', task, receivers, quote)
  const fields = saveFields({ id, task, quote })
  tellFollowers([{ task, what: ['comment'], told: [...receivers, ...fields.told] }])
  const author = { authorName: nameOf(tx.actor), authorAvatarUrl: picture?.avatarUrl ?? null }
  return { ...comment, ...author, editedAt: null, deletedAt: null, ...fields.shown }
}

/** What a path names a comment by. */
type Place = z.output<typeof CommentParams>

/** Changes one's own comment, and what notifications quote of it. @throws NOT_FOUND, NOT_AUTHOR */
export async function editComment(tx: Tx, place: Place, draft: CommentDraft): Promise<CommentView> {
  const [comment, saveFields] = await Promise.all([
    load(tx, place, 'edit'),
    readFields(tx, { taskId: place.id, commentId: place.commentId }, draft),
  ])
  const { id, taskId, title } = comment
  const fields = saveFields({ id, task: { id: taskId, title } })
  if (draft.content === comment.content && !fields.changed) return comment
  const edited = { ...comment, content: draft.content, editedAt: tx.now, ...fields.shown }
  save(tx, edited, { event: 'task.comment_edited', action: 'COMMENT_EDITED', was: comment.content })
  return edited
}

/** Removes the text of a comment, also from notifications; that it was there stays. @throws NOT_FOUND, NOT_AUTHOR */
export async function deleteComment(tx: Tx, place: Place): Promise<void> {
  const comment = await load(tx, place, 'delete')
  for (const field of commentFields.all()) field.remove(tx, { commentId: comment.id })
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
