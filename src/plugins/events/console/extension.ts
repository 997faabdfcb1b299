import type { Extension } from '#console/extension.ts'

export default {
  subjects: [
    {
      path: 'former-members',
      name: 'Former members',
      place: 125,
      permission: 'event:view',
      links: [{ on: 'people', name: 'Former members' }],
      load: () => import('./former-members.ts'),
    },
  ],
  parts: [{ slot: 'missing-person', place: 10, load: () => import('./missing-person.ts') }],
  permissions: { Tenant: { 'event:view': 'Read events' } },
} satisfies Extension
