/** What other domains may use. */
export { type Mail, sendMail } from './mail.actions.ts'
export { mail } from './mail.domain.ts'
export { canSendMail, mailFaults } from './mail.rules.ts'
export { tryMailServer } from './sending/post.ts'
export { sendTestMail } from './sending/test-mail.ts'
