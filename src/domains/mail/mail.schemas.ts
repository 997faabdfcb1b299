import { allMailKinds, arrayQuery, view, z } from '#atrium'

export const MailStatus = z.enum(['waiting', 'sent', 'dead']).meta({ id: 'MailStatus' })

export type MailStatus = z.output<typeof MailStatus>

export const MailQuery = arrayQuery({ status: MailStatus.optional() })

/** All kinds that domains declare; they are known when the document is written. */
const MailKind = z.string().meta({
  id: 'MailKind',
  get enum() {
    return allMailKinds()
  },
})

export const MailView = z
  .object({
    id: view.id,
    kind: MailKind,
    recipient: view.text,
    status: MailStatus,
    attempts: z.number().int(),
    lastError: view.maybeText.describe('Why the last attempt failed, as the mail server said it'),
    createdAt: view.instant,
  })
  .meta({
    id: 'Mail',
    examples: [
      {
        id: 41,
        kind: 'MAIL_TEST',
        recipient: 'ada@example.com',
        status: 'dead',
        attempts: 1,
        lastError: '550 5.1.1 No such user',
      },
    ],
  })
