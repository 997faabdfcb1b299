import { type Actor, type Config, drawToken, fail, hashToken, type Scope, type System, type Tx } from '#atrium'
import { endSessions, passwords } from '#atrium/auth'
import {
  findCredentials,
  findReachable,
  listReachableAt,
  recordUserFields,
  savePasswordHash,
  typed,
} from '#atrium/people'
import { findTenant, getPolicy } from '#atrium/tenants'
import { accountLink } from '#plugins/links'
import { sendMail } from '#plugins/mail'
import { accountFaults } from './account.rules.ts'
import {
  type insertResetRequest,
  lockReset,
  lockResetRequest,
  removeResetRequest,
  saveReset,
  useReset,
} from './account.store.ts'

const RESET_SECONDS = 1800
/** As many people with the same address get a mail. */
const MOST_ALIKE = 5
const NO_LIMIT = 1_000_000_000

/**
 * Answers the oldest request of the tenant: everyone who is meant and has an address gets a link, unless they had too
 * many. @returns whether there was one
 */
export async function answerReset(tx: Tx<System>, config: Config): Promise<boolean> {
  const [request, tenant, { locale }] = await tx.inOrder([
    lockResetRequest(tx, {}),
    findTenant(tx, { id: tx.tenantId }),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  if (!request) return false
  removeResetRequest(tx, { id: request.id })
  for (const person of await listMeant(tx, request)) {
    if (await passwords.get().areForbidden(tx, person.id)) continue
    const token = drawToken(tx.tenantId)
    const { affected } = await saveReset(tx, {
      userId: person.id,
      tokenHash: hashToken(token),
      mark: person.mark,
      seconds: RESET_SECONDS,
      most: config.resetLimit || NO_LIMIT,
    })
    if (affected === 0) continue
    await sendMail(tx, {
      kind: 'PASSWORD_RESET',
      to: person.email,
      userId: person.id,
      locale: person.locale ?? locale,
      facts: { username: person.username, tenant: tenant!.name },
      link: accountLink(config, 'password', token)!,
    })
  }
  return true
}

/** By user name, else by address. */
async function listMeant(scope: Scope, { username, email }: Parameters<typeof insertResetRequest>[1]) {
  if (!username) return email ? listReachableAt(scope, { email, most: MOST_ALIKE }) : []
  const found = await findCredentials(scope, typed(username))
  const person = found && (await findReachable(scope, { id: found.id }))
  return person ? [person] : []
}

/** Replaces the password of a link's person, once, and ends all their sessions. @throws RESET_NOT_FOUND */
export async function confirmReset(tx: Tx<Actor>, token: string, passwordHash: string): Promise<void> {
  const reset = (await lockReset(tx, { tokenHash: hashToken(token) })) ?? fail(accountFaults.resetNotFound())
  if (await passwords.get().areForbidden(tx, reset.userId)) throw accountFaults.resetNotFound()
  useReset(tx, { id: reset.id })
  savePasswordHash(tx, { id: reset.userId, passwordHash, mustChangePassword: false })
  recordUserFields(tx, reset.userId, ['password'])
  endSessions(tx, { userId: reset.userId })
}
