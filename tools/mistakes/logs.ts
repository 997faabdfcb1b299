import type { Mistake } from './mistakes.ts'

/** In the logs that others follow: a row that appears below one that was sent is never read. */
export const IN_LOGS: readonly Mistake[] = [
  {
    what: 'an event with the id that its command has drawn',
    path: 'src/data/events/number-events.ts',
    from: /sql<number>`counted\.last_number \+ 1 - row_number\(\) over \(order by taken\.id desc\)`/,
    to: 'sql<number>`taken.id + 0 * counted.last_number`',
    check: 'api/events',
    says: /the log gives no event an id below one that was read/,
  },
  {
    what: 'a link that does not wait for the commands that are writing',
    path: 'src/domains/audit/chain/extend.ts',
    from: "|| !(await awaitWriters(scope, 'audit_operations'))",
    to: '',
    check: 'api/audit-chain',
    says: /waits for a command that may still commit a row with a lower id/,
  },
]
