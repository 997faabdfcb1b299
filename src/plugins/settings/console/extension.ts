import type { Extension } from '#console/extension.ts'

export default {
  parts: [{ slot: 'settings', place: 10, load: () => import('./policies.ts') }],
  jobs: { 'notices of expiry': 'Announce that a tenant expires' },
} satisfies Extension
