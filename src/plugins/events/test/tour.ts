import { lines } from '../../../../tools/tour/cast.ts'
import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** What has happened in a tenant, for other systems. */
const part: Part = {
  shows: 'A reader goes on',
  async tell({ chapter, tell }, { neighbour }) {
    chapter('Events')
    const oldest = () => neighbour.listEvents({ after: 0, limit: 5 })
    const events = await tell('What has happened in the tenant, the oldest first:', oldest, 200, (events) => {
      expect(events.length === 5, 'five events')
      return lines(events, ({ id, type, actor }) => `${String(id).padEnd(6)}${type.padEnd(26)}by ${actor.name}`)
    })
    const more = () => neighbour.listEvents({ after: events.at(-1)!.id, types: 'user.created' })
    await tell('A reader goes on after the last id that it has seen.', more, 200, (rest) => {
      expect(
        rest.every(({ id, type }) => id > events.at(-1)!.id && type === 'user.created'),
        'later events of the type',
      )
      return lines(rest, ({ id, type, actor }) => `${String(id).padEnd(6)}${type.padEnd(26)}by ${actor.name}`)
    })
  },
}
export default part
