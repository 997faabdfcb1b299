import type { Extension } from '#console/extension.ts'

export default {
  jobs: { 'the index of the search': 'Bring the index of the search up to date' },
} satisfies Extension
