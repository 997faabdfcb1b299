import type { Extension } from '#console/extension.ts'

export default {
  parts: [{ slot: 'notifications', place: 10, load: () => import('./as-they-come.ts') }],
} satisfies Extension
