import { auditTrail, domain } from '#atrium'
import { openLogbook, recordCommand, recordOperation, retention } from './audit.actions.ts'
import { auditRoutes } from './audit.routes.ts'

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
  provides: [auditTrail.by({ openLogbook, recordOperation, recordCommand })],
  cleanups: (config) => retention(config.auditRetentionDays),
  routes: auditRoutes,
})
