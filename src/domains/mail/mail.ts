/** What other domains may use. */
export { type Mail, sendMail } from './mail.actions.ts'
export { mail } from './mail.domain.ts'
export { canSendMail, mailFaults } from './mail.rules.ts'
export { MailStatus } from './mail.schemas.ts'
export { mailStatusOf } from './mail.store.ts'
export { tryMailServer } from './sending/post.ts'
export { sendTestMail } from './sending/test-mail.ts'
