import type { Extension } from '#console/extension.ts'

export default {
  subjects: [
    {
      path: 'mail',
      name: 'Mail',
      group: 'tenant',
      place: 230,
      permission: 'settings:manage',
      load: () => import('./mail.ts'),
    },
  ],
  jobs: { 'the outbox of mails': 'Send mail' },
  mails: { NEWS: 'News', NEWS_DAILY: 'News' },
} satisfies Extension
