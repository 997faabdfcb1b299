import { lines, newcomer } from '../../../../tools/tour/cast.ts'
import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** Somebody watches a task, and is mentioned on it. */
const part: Part = {
  shows: 'What they watch:',
  async tell(tour, { admin, projectId }) {
    const { chapter, tell } = tour
    chapter('Watching')
    const { client: watcher, id: userId } = await newcomer(tour, admin, 'watcher')
    const join = () => admin.addProjectMember({ id: projectId, userId, body: { role: 'viewer' } })
    await tell('They join the project, to look on.', join, 200, {})
    const make = () => admin.createTask({ id: projectId, body: { title: 'Bolt it to the ground' } })
    const { id } = await tell('A task', make, 201, { status: 'TODO' })
    await tell('… is watched,', () => watcher.watchTask({ id }), 200, {})
    const begin = () => admin.updateTask({ id, body: { version: 0, status: 'IN_PROGRESS' } })
    await tell('… begun,', begin, 200, { status: 'IN_PROGRESS' })
    const draft = { content: 'Is the ground firm there?', mentions: [userId] }
    const ask = () => admin.addTaskComment({ id, body: draft })
    await tell('… and commented on, for them to see.', ask, 201, ({ mentions }) => lines(mentions, ({ name }) => name))
    const heard = () => watcher.listNotifications({ pageSize: 2 })
    await tell('They are told of each, and once of the comment:', heard, 200, (news) => {
      expect(news.map(({ type }) => type).join() === 'TASK_MENTIONED,TASK_CHANGED', 'a mention, and a change')
      return lines(news, ({ type, title }) => `${type.padEnd(16)}${title}`)
    })
    const watched = () => watcher.listMyWatching()
    await tell('What they watch:', watched, 200, (all) => {
      expect(all.length === 1 && all[0]!.resourceId === id, 'the task')
      return lines(all, ({ resourceType, title }) => `${resourceType}  ${title}`)
    })
    await tell('They have seen enough.', () => watcher.unwatchTask({ id }), 200, {})
  },
}
export default part
