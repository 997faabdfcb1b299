import { arrayQuery, MailKindName, MailStatus, view, z } from '#atrium'

export const MailQuery = arrayQuery({ status: MailStatus.optional() })

export const MailView = z
  .object({
    id: view.id,
    kind: MailKindName,
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
