import type { Mistake } from '../../../../tools/mistakes.ts'

const mistakes: readonly Mistake[] = [
  {
    what: 'a link that does not wait for the commands that are writing',
    path: 'src/plugins/audit-chain/extend.ts',
    from: "|| !(await awaitWriters(scope, 'audit_operations'))",
    check: 'plugins/audit-chain/test/audit-chain',
    says: /waits for a command that may still commit a row with a lower id/,
  },
]
export default mistakes
