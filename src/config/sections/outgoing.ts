import { flag, mailSender, mailUrl, whole } from '../kinds.ts'
import { env } from '../variable.ts'

/** What leaves by mail. */
export const mail = {
  mailUrl: env(
    'MAIL_URL',
    mailUrl.optional(),
    'the server that takes mail: smtp://host:587 (with STARTTLS if it offers it) or smtps://host, with user:password@ if it needs them; by default no mail is sent, in development it is kept in DATA_DIR and shown under /mail',
    { hidden: 'password' },
  ),
  mailFrom: env('MAIL_FROM', mailSender.optional(), 'the sender of mail, such as Example <no-reply@example.com>'),
  mailConnections: env(
    'MAIL_CONNECTIONS',
    whole(1, 100).default(10),
    'mails sent at the same time; at most half of these for one tenant',
  ),
}

/** What is sent to other systems. */
export const webhooks = {
  webhookPrivateAddresses: env(
    'WEBHOOK_PRIVATE_ADDRESSES',
    flag.default(false),
    'true lets webhooks lead to private addresses, of this machine and of its network',
  ),
  webhookConnections: env(
    'WEBHOOK_CONNECTIONS',
    whole(1, 1000).default(100),
    'deliveries of webhooks sent at the same time; at most half of these for one tenant, 8 for one webhook',
  ),
}
