import { randomUUID } from 'node:crypto'
import { faults, type Mail, type MailKind, mailOf, type Tx } from '#atrium'
import { mailFaults, mailWait, mostToTenant } from './mail.rules.ts'
import { bringForward, insertMail, listAskedFor, lockMail, reviveMail } from './mail.store.ts'

/** What is encrypted while a mail waits. */
export interface Contents {
  facts: Record<string, string>
  link?: string | undefined
}

/** Puts a mail into the transaction's outbox. @throws RATE_LIMITED; Error if the kind is not declared */
export async function sendMail<K extends MailKind>(tx: Tx<any>, mail: Mail<K>): Promise<void> {
  const { id, kind, to, userId = null, locale, facts, link } = mail
  if (!mailOf(kind)) throw new Error(`No domain declares the mail ${kind}`)
  const isOfTenant = tx.actor.kind === 'user' && tx.actor.tenantId === tx.tenantId
  const askedBy = link && isOfTenant ? (tx.actor.id as number) : null
  if (askedBy !== null) await assertMayAsk(tx, to, askedBy)
  const key = randomUUID()
  const contents: Contents = { facts, link }
  const sealed = tx.sealer.seal(JSON.stringify(contents), placeOf(tx.tenantId, key))
  insertMail(tx, { ...(id !== undefined && { id }), key, kind, userId, recipient: to, locale, sealed, askedBy })
}

async function assertMayAsk(tx: Tx<any>, to: string, askedBy: number): Promise<void> {
  const limit = tx.mailLimit
  if (limit === 0) return
  const wait = mailWait(await listAskedFor(tx, { to, most: mostToTenant(limit) }), askedBy, limit)
  if (wait > 0) throw faults.rateLimited([], { 'retry-after': String(Math.ceil(wait)) }, 'mail')
}

/**
 * Sends a dead mail again, for another day, and one that waits soon.
 * @throws NOT_FOUND; MAIL_NOT_DEAD if it was sent
 */
export async function retryMail(tx: Tx, id: number) {
  const mail = await lockMail(tx, { id })
  if (mail.status === 'sent') throw mailFaults.notDead()
  if (mail.status === 'waiting') {
    bringForward(tx, { id })
    return mail
  }
  reviveMail(tx, { id })
  return { ...mail, status: 'waiting' as const, attempts: 0 }
}

/** Where the contents of a mail are stored, for the sealer. */
export function placeOf(tenantId: number, key: string): string {
  return `mails ${tenantId}/${key}`
}
