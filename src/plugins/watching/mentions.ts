import type { CommentField } from '#atrium/tasks'
import { reviseMentions, watchingFaults } from './watching.rules.ts'
import { MentionsShown, MentionsWanted } from './watching.schemas.ts'
import { findMentions, listPeople, mentionsShown, removeMentions, saveMentions } from './watching.store.ts'

const NOBODY = { userIds: [], toldIds: [] }

/**
 * The people whom comments mention. Each is told once. What notifies of a mention that an edit adds does not quote the
 * comment, because a later change would not find it.
 */
export const mentions: CommentField<number[]> = {
  name: 'mentions',
  draft: MentionsWanted,
  view: MentionsShown,
  refuses: [watchingFaults.mentionNotMember],
  shown: mentionsShown,
  async read(tx, { taskId, commentId }, wanted) {
    const before = commentId === undefined ? NOBODY : ((await findMentions(tx, { commentId })) ?? NOBODY)
    const ids = wanted ?? before.userIds
    const found = ids.length > 0 ? await listPeople(tx, { taskId, ids }) : []
    const seers = found.filter(({ sees }) => sees)
    const people = found.map(({ id, name }) => ({ id, name }))
    return ({ id, task, quote }) => {
      const { userIds, toldIds, news, changed } = reviseMentions(before, wanted, seers)
      if (changed) saveMentions(tx, { commentId: id, userIds, toldIds })
      tx.notify({
        type: 'TASK_MENTIONED',
        facts: { title: task.title },
        content: quote ?? null,
        resourceType: 'task',
        resourceId: task.id,
        receivers: news,
      })
      return { shown: people, changed, told: news }
    }
  },
  remove: removeMentions,
}
