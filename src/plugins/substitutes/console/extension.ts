import type { Extension } from '#console/extension.ts'

export default {
  parts: [{ slot: 'person-actions', place: 5, load: () => import('./name-substitute.ts') }],
  jobs: { substitutions: 'Begin and end substitutions' },
} satisfies Extension
