import type { Kind } from '../../../../tools/guards/kinds.ts'

/** What shows that the audit is as it was written. */
const kinds: readonly Kind[] = (
  [
    [
      'audit-chain.rules.ts',
      /(?<=\bif \()(?:row|chain) === undefined|linkOf\([^\n]*\) !== chain|found\.id < end\.id/g,
      'false',
    ],
    ['audit-chain.rules.ts', /found\.chain === end\.chain/g, 'true'],
    ['audit-chain.rules.ts', /before \+ (?=canonical)/g, ''],
    ['extend.ts', / \|\| !\(await awaitWriters\([^)]*\)\)/g, ''],
    ['verify.ts', / \?\? \(await linkAfter\([^)]*\)\)/g, ''],
  ] as const
).map(([file, pattern, instead]) => ({
  ...{ kind: 'link of the audit', in: `src/plugins/audit-chain/${file}`, pattern, instead },
  noticedBy: ['src/plugins/audit-chain/test/audit-chain.test.ts'],
}))
export default kinds
