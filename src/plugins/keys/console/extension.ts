import type { Extension } from '#console/extension.ts'

export default {
  subjects: [
    {
      path: 'keys',
      below: /^(new|\d+)$/,
      resources: ['service-accounts'],
      name: 'Keys',
      group: 'tenant',
      place: 210,
      permission: 'key:manage',
      load: () => import('./keys.ts'),
    },
  ],
  permissions: { Tenant: { 'key:manage': 'Manage keys' } },
} satisfies Extension
