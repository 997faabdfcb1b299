import { newcomer } from '../../../../tools/tour/cast.ts'
import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** The tasks of a person in their calendar program. */
const part: Part = {
  shows: 'The program reads it',
  async tell(tour, { admin, projectId }) {
    const { chapter, tell, refused, visitor, visit } = tour
    chapter('A calendar')
    const { client: owner, id: assigneeId } = await newcomer(tour, admin, 'busy')
    const title = 'Oil the bench'
    await tell('They join the project,', () => admin.addProjectMember({ id: projectId, userId: assigneeId }), 200, {})
    const oil = () => admin.createTask({ id: projectId, body: { title, dueDate: '2027-03-01', assigneeId } })
    await tell('… and have a task that is due.', oil, 201, { assigneeId })
    const subscribe = 'An address for their calendar program, which is shown once.'
    const make = () => owner.createCalendarKey()
    const { url } = await tell(subscribe, make, 201, ({ url }) => {
      expect(url.endsWith('.ics'), 'an address of a calendar')
      return `${url.slice(0, -20)}…`
    })
    const calendar = () => visit(new URL(url).pathname)
    await tell('The program reads it without a sign-in.', calendar, 200, async (answer) => {
      const text = await answer.text()
      expect(text.includes(`SUMMARY:${title}`), 'the task that is due')
      return `${answer.headers.get('content-type')}; the task is in it`
    })
    await tell('It is revoked again.', () => owner.removeCalendarKey(), 200, {})
    const [, key] = /([^/]+)\.ics$/.exec(url) ?? []
    await refused('Now it leads nowhere.', () => visitor().readCalendar({ key: key! }), [404, 'NOT_FOUND'])
  },
}
export default part
