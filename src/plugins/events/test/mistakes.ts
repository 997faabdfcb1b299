import type { Mistake } from '../../../../tools/mistakes.ts'

const mistakes: readonly Mistake[] = [
  {
    what: 'an event with the id that its command has drawn',
    path: 'db/migrations/0006_commands.sql',
    from: 'values (tenant, number, event.type',
    to: 'values (tenant, event.id, event.type',
    check: 'plugins/events/test/events',
    says: /gives no event an id below one that was read/,
  },
]
export default mistakes
