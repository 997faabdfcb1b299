import type { Extension } from '#console/extension.ts'

export default {
  subjects: [{ path: 'search', name: 'Search', group: 'own', place: 460, load: () => import('./search.ts') }],
  finders: [{ load: () => import('./goals.ts') }],
  jobs: { 'the index of the search': 'Bring the index of the search up to date' },
} satisfies Extension
