import type { Extension } from 'atrium/console/extension.ts'

export default {
  subjects: [
    {
      path: 'labels',
      name: 'Labels',
      group: 'tenant',
      place: 205,
      permission: 'label:view',
      load: () => import('./labels.ts'),
    },
  ],
  permissions: { Labels: { 'label:view': 'See labels', 'label:manage': 'Manage labels' } },
} satisfies Extension
