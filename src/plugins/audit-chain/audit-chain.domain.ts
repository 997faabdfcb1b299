import { domain } from '#atrium'
import { audit, evidence } from '#atrium/audit'
import { linkOfOperation } from './audit-chain.store.ts'
import { linkedUpTo, removableUpTo } from './extend.ts'
import { chains } from './worker.ts'

export default domain({
  name: 'audit-chain',
  about: 'The audit as evidence: a chain of hashes that shows what was changed, removed or inserted',
  uses: [audit],
  provides: [evidence.by({ linkOf: linkOfOperation, settledUpTo: linkedUpTo, removableUpTo })],
  jobs: () => [chains],
  checks: () => import('./audit-chain.checks.ts'),
  commands: () => import('./audit-chain.commands.ts'),
  migrations: new URL('./migrations/', import.meta.url),
  console: new URL('./console/', import.meta.url),
})
