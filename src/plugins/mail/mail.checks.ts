import { type Checks, type Config, type Finding, ok, reasonOf, warn } from '#atrium'
import { tryMailServer } from './sending/post.ts'

export const checks: Checks = { surroundings: checkMail }

/** Without mail, people cannot reset their passwords, and get no news by mail. */
export async function checkMail(config: Pick<Config, 'mailUrl' | 'production' | 'publicUrl'>): Promise<Finding[]> {
  const { mailUrl, production, publicUrl } = config
  if (!mailUrl && !production) return [ok('mail', 'is kept in DATA_DIR and shown under /mail')]
  if (!mailUrl)
    return [
      warn('mail', 'none is sent', 'set MAIL_URL and MAIL_FROM: resets of passwords, confirmations and news need them'),
    ]
  const cure = 'set PUBLIC_URL, so that people can replace forgotten passwords and stop news by mail'
  const links = publicUrl || !production ? [] : [warn('mail', 'has no links of its own', cure)]
  try {
    await tryMailServer({ mailUrl })
    return [ok('mail', `${new URL(mailUrl).host} takes it`), ...links]
  } catch (error) {
    const remedy = 'mail waits for a day; check MAIL_URL, then: atrium mail test ADDRESS'
    return [warn('mail', `${new URL(mailUrl).host} does not take it: ${reasonOf(error as Error)}`, remedy), ...links]
  }
}
