import { auditTrail, domain } from '#atrium'
import { openLogbook, recordCommand, recordOperation, retention } from './audit.actions.ts'
import { auditRoutes } from './audit.routes.ts'
import { chains } from './chain/worker.ts'

const words = {
  permissions: {
    'audit:view': ['tenant-admin'],
  },
} as const

declare module '#atrium' {
  interface Domains {
    audit: typeof words
  }
}

export const audit = domain({
  name: 'audit',
  ...words,
  tags: {
    audit: { description: 'The audit trail: who did what, and with which result.', paths: ['/audit'] },
  },
  jobs: () => [chains],
  provides: [auditTrail.by({ openLogbook, recordOperation, recordCommand })],
  cleanups: (config) => retention(config.auditRetentionDays),
  references: { audit_operations: { user_id: 'users' } },
  // The chain is over the ids, and an imported row has another id.
  withholds: { audit_links: 'not imported', audit_chains: 'not imported' },
  checks: () => import('./audit.checks.ts'),
  routes: auditRoutes,
})
