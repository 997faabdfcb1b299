import { drawToken, hashToken, list } from '#atrium'
import type { Part } from '../../../demo/parts.ts'
import { saveKey } from './calendar.store.ts'

const listCalendars = list((from, _: object) => from('calendarKeys').select('calendarKeys.userId'))

const part: Part<{ calendars: Set<number> }> = {
  ways: {
    'share calendar': {
      left: ({ by }, { calendars, users }) => calendars.has(users.get(by)?.id ?? 0),
      act: (tx, { by }, { office }) => {
        const key = drawToken(tx.tenantId)
        saveKey(tx, { userId: tx.actor.id, keyHash: hashToken(key) })
        office.show(`The calendar of ${by}`, `/api/v1/calendar/${key}.ics`)
      },
    },
  },
  async findMade(scope) {
    return { calendars: new Set((await listCalendars(scope, {})).map(({ userId }) => userId)) }
  },
}
export default part
