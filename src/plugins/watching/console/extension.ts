import type { Extension } from '#console/extension.ts'

export default {
  subjects: [{ path: 'watching', name: 'Watching', group: 'own', place: 445, load: () => import('./watching.ts') }],
  parts: [
    { slot: 'task', place: 5, load: () => import('./watch-task.ts') },
    { slot: 'project', place: 5, load: () => import('./watch-project.ts') },
  ],
} satisfies Extension
