import { list, page } from '../../../tools/growth/list.ts'
import { listEvents } from './events.store.ts'

export default [
  list('events', 'events', (scope, part) => listEvents(scope, {}, part)),
  page('events', 'events after one', (scope, part) => listEvents(scope, {}, { ...part, after: 5000 })),
  page('events', 'events of a type that has few', (scope, part) =>
    listEvents(scope, { types: ['user.disabled'] }, part),
  ),
  page('events', 'events of two types after one', (scope, part) =>
    listEvents(scope, { types: ['user.disabled', 'task.created'] }, { ...part, after: 5000 }),
  ),
]
