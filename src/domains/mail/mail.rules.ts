import { type Config, fault, notFound } from '#atrium'

export const mailFaults = {
  notFound: notFound('Mail'),
  notConfigured: fault('MAIL_NOT_CONFIGURED', 409, 'This installation sends no mail'),
  notDead: fault('MAIL_NOT_DEAD', 409, 'Only mail that was given up can be tried again'),
}

/** Whether mail leaves this installation. In development it is kept in a folder and can be read under `/mail`. */
export function canSendMail({ mailUrl, production }: Pick<Config, 'mailUrl' | 'production'>): boolean {
  return mailUrl !== undefined || !production
}
