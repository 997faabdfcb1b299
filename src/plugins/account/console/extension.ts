import type { Extension } from '#console/extension.ts'

export default {
  jobs: { 'requests for new passwords': 'Answer requests for new passwords' },
  mails: {
    PASSWORD_RESET: 'New password',
    EMAIL_CONFIRMATION: 'Confirmation of an address',
    EMAIL_CHANGED: 'Change of an address',
  },
} satisfies Extension
