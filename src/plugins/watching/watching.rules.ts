import { type Detail, fault, type Sentence, sentence } from '#atrium'
import type { TaskNews } from '#atrium/tasks'

export const watchingFaults = {
  mentionNotMember: fault('MENTION_NOT_MEMBER', 400, 'Only people who see the project can be mentioned'),
}

/** What watchers are told of, in words. */
export const WORDS: Record<TaskNews['what'][number], Sentence> = {
  comment: sentence('new comment'),
  status: sentence('status'),
  assigneeId: sentence('assignee'),
  dueDate: sentence('due date'),
  deletion: sentence('deleted'),
}

export interface Mentioned {
  userIds: number[]
  toldIds: number[]
}

/**
 * Decides whom a comment mentions after it was written or edited. Who was mentioned before stays so, even if they do not see
 * the project any more, and nobody is told twice.
 * @param wanted what was sent; undefined to leave it as it is
 * @param seers those of them who see the project
 * @throws MENTION_NOT_MEMBER
 */
export function reviseMentions(
  before: Mentioned,
  wanted: number[] | undefined,
  seers: readonly { id: number }[],
): Mentioned & { news: number[]; changed: boolean } {
  const userIds = wanted ?? before.userIds
  const seeing = new Set([...before.userIds, ...seers.map(({ id }) => id)])
  const details = userIds.flatMap((id, at): Detail[] =>
    seeing.has(id) ? [] : [{ path: `body.mentions.${at}`, message: 'must see the project' }],
  )
  if (details.length > 0) throw watchingFaults.mentionNotMember(details)
  const news = userIds.filter((id) => !before.toldIds.includes(id))
  const changed = news.length > 0 || [...userIds].sort().join() !== [...before.userIds].sort().join()
  return { userIds, toldIds: [...before.toldIds, ...news], news, changed }
}

export interface Watch {
  taskId: number
  userId: number
}

/** Who is told of what happened to a task: each watcher once, and none who is told of it anyway. */
export function receiversOf({ task, told }: Pick<TaskNews, 'task' | 'told'>, watches: readonly Watch[]): number[] {
  const watching = watches.filter(({ taskId }) => taskId === task.id).map(({ userId }) => userId)
  return [...new Set(watching)].filter((id) => !told.includes(id))
}
