import type { Extension } from '#console/extension.ts'

export default {
  subjects: [
    {
      path: 'webhooks',
      below: /^(new|\d+)$/,
      resources: ['webhooks', 'webhook'],
      name: 'Webhooks',
      group: 'tenant',
      place: 220,
      permission: 'webhook:manage',
      load: () => import('./webhooks.ts'),
    },
  ],
  permissions: { Tenant: { 'webhook:manage': 'Manage webhooks' } },
  jobs: { 'the deliveries of webhooks': 'Deliver webhooks' },
} satisfies Extension
