import type { Extension } from '#console/extension.ts'

export default {
  subjects: [
    {
      path: 'usage',
      name: 'Usage',
      group: 'tenant',
      place: 240,
      permission: 'settings:view',
      load: () => import('./usage.ts'),
    },
  ],
  parts: [{ slot: 'inside-tenant', place: 10, load: () => import('./usage-inside.ts') }],
} satisfies Extension
