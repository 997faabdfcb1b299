import type { Extension } from '#console/extension.ts'

export default {
  subjects: [
    {
      path: 'export',
      name: 'Export',
      group: 'tenant',
      place: 250,
      permission: 'tenant:export',
      load: () => import('./export.ts'),
    },
  ],
  permissions: { Tenant: { 'tenant:export': 'Export the tenant' } },
} satisfies Extension
