import { type Actor, type Config, drawToken, fail, hashToken, type Tx, type User } from '#atrium'
import { lockStaff } from '#atrium/organization'
import { findReceiver, getCredentialsMark, recordUserFields, saveVerifiedAddress } from '#atrium/people'
import { findTenant, getPolicy } from '#atrium/tenants'
import type { Confirmations } from '#atrium/users'
import { accountLink, sendsLinks } from '#plugins/links'
import { sendMail } from '#plugins/mail'
import { accountFaults } from './account.rules.ts'
import { findConfirmation, findPendingEmail, removeConfirmation, saveConfirmation } from './account.store.ts'

const DAY_SECONDS = 86_400

/** Sends the actor a link to a new address of theirs; the address waits until the link is used. */
export async function askToConfirm(tx: Tx<User>, email: string, config: Config): Promise<void> {
  const { id, username } = tx.actor
  const [person, { mark }, tenant, policy] = await Promise.all([
    findReceiver(tx, { id }),
    getCredentialsMark(tx, { id }),
    findTenant(tx, { id: tx.tenantId }),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  const token = drawToken(tx.tenantId)
  saveConfirmation(tx, { userId: id, email, tokenHash: hashToken(token), mark, seconds: DAY_SECONDS })
  await sendMail(tx, {
    kind: 'EMAIL_CONFIRMATION',
    to: email,
    userId: id,
    locale: person?.locale ?? policy.locale,
    facts: { username, tenant: tenant!.name },
    link: accountLink(config, 'email', token)!,
  })
}

/**
 * Gives a person the address that a link confirms, once; their former address gets a notice.
 * @param sendsMail whether this installation sends mail
 * @throws EMAIL_TOKEN_NOT_FOUND
 */
export async function confirmAddress(tx: Tx<Actor>, token: string, sendsMail: boolean) {
  const [, found, tenant, policy] = await tx.inOrder([
    // A concurrent change of the person has read the former address, and writes it back; another use of the link waits.
    lockStaff(tx, {}),
    findConfirmation(tx, { tokenHash: hashToken(token) }),
    findTenant(tx, { id: tx.tenantId }),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  const { id, userId, username, email, formerEmail, locale } = found ?? fail(accountFaults.emailTokenNotFound())
  removeConfirmation(tx, { id })
  saveVerifiedAddress(tx, { id: userId, email })
  recordUserFields(tx, userId, ['email'])
  if (sendsMail && formerEmail && formerEmail !== email)
    await sendMail(tx, {
      kind: 'EMAIL_CHANGED',
      to: formerEmail,
      userId,
      locale: locale ?? policy.locale,
      facts: { username, tenant: tenant!.name },
    })
  return { userId, username }
}

/** New addresses wait until their person has confirmed them, if links can be mailed. */
export const confirmedByMail: Confirmations = {
  areSent: sendsLinks,
  ask: askToConfirm,
  findPending: findPendingEmail,
}
