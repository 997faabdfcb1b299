import type { Extension } from '#console/extension.ts'

export default {
  subjects: [
    {
      path: 'import',
      name: 'Import',
      group: 'tenant',
      place: 165,
      permission: 'task:create',
      links: [{ on: 'people', name: 'Import' }],
      load: () => import('./import.ts'),
    },
  ],
  parts: [{ slot: 'list', place: 10, load: () => import('./save-as-table.ts') }],
} satisfies Extension
