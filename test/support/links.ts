import { drawToken, hashToken } from '../../src/util/secrets/token.ts'
import { until } from './patience.ts'
import { tablesIn } from './tables.ts'
import type { World } from './world.ts'

/** A mail, as its reader sees it. */
export interface LinkMail {
  subject: string
  text: string
  /** the whole address of its button; blank if it has none */
  link: string
  /** from the fragment of the link */
  token: string
}

/** The mails that were sent to an address, the oldest first. */
export async function mailsTo({ mailbox }: World, address: string): Promise<LinkMail[]> {
  const mails = (await mailbox.list()).filter(({ mail }) => mail.to?.some((each) => each.address === address))
  return mails.reverse().map(({ mail: { subject = '', text = '' } }) => {
    const link = /https?:\S+#token=\S+/.exec(text)?.[0] ?? ''
    return { subject, text, link, token: link.split('#token=')[1] ?? '' }
  })
}

/** Waits until an address has so many mails. @returns the newest, or the newest that says something */
export async function nthMailTo(world: World, address: string, count = 1, says = ''): Promise<LinkMail> {
  // Each reading of the mailbox reads all mails of the file.
  const sent = `select count(*) from mails where lower(recipient) = lower($1) and status = 'sent'`
  await until(async () => (await world.look.count(sent, [address])) === count)
  return (await mailsTo(world, address)).findLast(({ text }) => text.includes(says))!
}

/** Waits until every request for a new password was answered, and every mail was sent, where there are such. */
export async function resetsAnswered({ look }: World): Promise<void> {
  const tables = await tablesIn(look)
  const none = async (rows: string) => (await look.count(`select count(*) ${rows}`)) === 0
  if (tables.has('password_reset_requests')) await until(() => none('from password_reset_requests'))
  if (tables.has('mails')) await until(() => none("from mails where status = 'waiting'"))
}

const MARK = `encode(sha256(convert_to(password_hash || chr(10) || coalesce(email, ''), 'UTF8')), 'hex')`

/** A link for a new password that nobody asked for. */
export async function givenResetToken({ look }: World, tenantId: number, userId: number): Promise<string> {
  const token = drawToken(tenantId)
  await look.rows(
    `insert into password_resets (tenant_id, user_id, token_hash, mark, expires_at)
     select $1, $2, $3, ${MARK}, now() + interval '30 minutes' from users where tenant_id = $1 and id = $2`,
    [tenantId, userId, hashToken(token)],
  )
  return token
}

/** The same that confirms an address. */
export async function givenConfirmationToken({ look }: World, tenantId: number, userId: number): Promise<string> {
  const token = drawToken(tenantId)
  await look.rows(
    `insert into email_confirmations (tenant_id, user_id, email, token_hash, mark, expires_at)
     select $1, $2, 'new@example.com', $3, ${MARK}, now() + interval '1 day' from users where tenant_id = $1 and id = $2`,
    [tenantId, userId, hashToken(token)],
  )
  return token
}
