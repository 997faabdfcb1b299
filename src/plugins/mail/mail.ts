/** What other domains may use. */
export { sendMail } from './mail.actions.ts'
export { default as mail } from './mail.domain.ts'
export { canSendMail, mailFaults } from './mail.rules.ts'
