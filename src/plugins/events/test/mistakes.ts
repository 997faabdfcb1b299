import type { Mistake } from '../../../../tools/mistakes.ts'

const mistakes: readonly Mistake[] = [
  {
    what: 'an event with the id that its command has drawn',
    path: 'src/data/events/number-events.ts',
    from: /sql<number>`counted\.last_number \+ 1 - row_number\(\) over \(order by taken\.id desc\)`/,
    to: 'sql<number>`taken.id + 0 * counted.last_number`',
    check: 'plugins/events/test/events',
    says: /the log gives no event an id below one that was read/,
  },
]
export default mistakes
