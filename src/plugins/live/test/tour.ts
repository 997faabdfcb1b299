import type { NotificationEvent } from '../../../../client/index.ts'
import { newcomer } from '../../../../tools/tour/cast.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** A stream of notifications that stays open while something happens. */
const part: Part = {
  shows: '… and of what they have read.',
  async tell(tour, { admin, projectId }) {
    const { chapter, tell, arrives } = tour
    chapter('Notifications as they come')
    const { client: listener, id: userId } = await newcomer(tour, admin, 'listener')
    const ending = new AbortController()
    const events = listener.notifications({ signal: ending.signal })
    /** The next event that says something, which is shown. */
    async function next(shownOf: (event: NotificationEvent) => string | false): Promise<string> {
      for (;;) {
        const { value } = await events.next()
        const shown = shownOf(value!)
        if (shown) return shown
      }
    }
    const counted = (count: number) => () =>
      next((event) => event.type === 'unread-count' && event.count === count && `${count} unread`)
    const titled = () => next((event) => event.type === 'notification' && event.notification.title)

    await tell('They open a stream, which says where they stand.', counted(0), 200, (shown) => shown)
    await tell('They join a project,', () => admin.addProjectMember({ id: projectId, userId }), 200, {})
    await arrives('… and hear of it on the open stream,', titled)
    await arrives('… with the new count behind it', counted(1))
    await tell(
      'All are read in another tab,',
      () => listener.markAllNotificationsRead(),
      200,
      () => 'done',
    )
    await arrives('… and of what they have read.', counted(0))
    ending.abort()
  },
}
export default part
