import type { Extension } from '#console/extension.ts'

export default {
  jobs: { 'the chains of the audit': 'Chain the audit' },
} satisfies Extension
