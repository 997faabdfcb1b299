import type { Extension } from '#console/extension.ts'

export default {
  subjects: [
    {
      path: 'second-factor',
      name: 'Second factor',
      group: 'own',
      place: 430,
      lifts: 'SECOND_FACTOR_MISSING',
      load: () => import('./second-factor.ts'),
    },
  ],
  parts: [{ slot: 'person-actions', place: 10, load: () => import('./reset.ts') }],
  mails: { SECOND_FACTOR_ADDED: 'Second factor added', SECOND_FACTOR_REMOVED: 'Second factor taken off' },
} satisfies Extension
