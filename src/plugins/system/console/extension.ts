import type { Extension } from '#console/extension.ts'

export default {
  subjects: [
    {
      path: 'health',
      name: 'Health',
      group: 'installation',
      place: 320,
      permission: 'system:tenant:list',
      load: () => import('./health.ts'),
    },
    {
      path: 'jobs',
      name: 'Jobs',
      group: 'installation',
      place: 330,
      permission: 'system:tenant:list',
      load: () => import('./jobs.ts'),
    },
    {
      path: 'versions',
      name: 'Versions',
      group: 'installation',
      place: 340,
      permission: 'system:tenant:list',
      load: () => import('./versions.ts'),
    },
  ],
  jobs: {
    'expired rows': 'Remove what has expired',
    'the outbox': 'Deliver notifications',
    'the events': 'Number events',
    'tenants to erase': 'Erase tenants that were closed',
    'the files': 'Compare stored files with their rows',
    'temporary files': 'Remove temporary files',
    'sightings of sessions': 'Note when sessions were last seen',
  },
} satisfies Extension
