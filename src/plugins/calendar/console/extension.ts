import type { Extension } from '#console/extension.ts'

export default {
  subjects: [{ path: 'calendar', name: 'Calendar', group: 'own', place: 440, load: () => import('./calendar.ts') }],
  jobs: { reminders: 'Remind of due tasks' },
} satisfies Extension
