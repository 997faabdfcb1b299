import { list, page } from '../../../tools/growth/list.ts'
import { listEvents } from './events.store.ts'

const TWO_TYPES = { types: ['user.disabled', 'task.created'] }

export default [
  list('events', 'events', listEvents, {}),
  page('events', 'events after one', listEvents, {}, { after: 5000 }),
  page('events', 'events of a type that has few', listEvents, { types: ['user.disabled'] }),
  page('events', 'events of two types after one', listEvents, TWO_TYPES, { after: 5000 }),
]
