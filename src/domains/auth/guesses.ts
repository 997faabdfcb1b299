import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openScope } from '../../data/tx/open-scope.ts'
import type { Fault } from '../../kernel/fault.ts'
import { networkOf } from '../../util/network.ts'
import type { Attempt } from '../../util/sliding-window.ts'
import { verifyPassword } from '../people/passwords.ts'
import { findPasswordHash } from '../people/people.store.ts'
import { authFaults } from './auth.actions.ts'

/** Somebody who is said to be signing in, and the password they have, if there is such a person. */
export interface Account {
  tenantId: number
  username: string
  passwordHash: string | undefined
}

/**
 * Guesses at passwords, and what limits them: `most` a minute by network and account, ten times that in ten minutes
 * wherever they come from. A window belongs to the password that is guessed at: a new one begins with an empty window, in
 * every replica at once. So a reset ends a lock-out.
 */
export function limitGuesses(app: FastifyInstance, most: number) {
  const here = { name: 'sign-in', most, windowMs: 60_000 }
  const everywhere = { name: 'account', most: 10 * most, windowMs: 600_000 }
  /** Apart from the sign-in's: strangers who guess there must not keep anybody from changing their password. */
  const ofOneself = { name: 'password', most: 10 * most, windowMs: 600_000 }

  const keyOf = ({ tenantId, username, passwordHash }: Account) =>
    `${tenantId} ${username.normalize('NFC')} ${markOf(passwordHash)}`
  const fromHere = ({ ip }: FastifyRequest, account: Account): Attempt => ({
    limit: here,
    key: `${networkOf(ip)} ${keyOf(account)}`,
  })

  return {
    /** What a sign-in counts under. Whoever is signed in as the very person is not kept out by strangers who guess elsewhere. */
    ofSignIn(req: FastifyRequest, account: Account): Attempt[] {
      const { actor } = req
      const isKnown =
        actor.kind === 'user' && actor.tenantId === account.tenantId && actor.username === account.username
      return isKnown ? [fromHere(req, account)] : [fromHere(req, account), { limit: everywhere, key: keyOf(account) }]
    },

    prove,

    /** Whoever changes their own password says the one they have. @throws WRONG_PASSWORD, RATE_LIMITED */
    async proveOwn(req: FastifyRequest, reply: FastifyReply, password: string): Promise<void> {
      const { id, tenantId, username } = req.user
      const found = await findPasswordHash(openScope(app.database, tenantId), { id })
      const account = { tenantId, username, passwordHash: found?.passwordHash }
      const tries = [fromHere(req, account), { limit: ofOneself, key: keyOf(account) }]
      await prove(reply, tries, () => verifyPassword(password, found?.passwordHash), authFaults.wrongPassword)
    },
  }

  /** Counts what is refused, and only that. @throws `refusal`, RATE_LIMITED */
  async function prove(
    reply: FastifyReply,
    tries: readonly Attempt[],
    check: () => Promise<boolean>,
    refusal: () => Fault,
  ): Promise<void> {
    await app.limits.assertOpen(reply, tries)
    if (!(await check())) {
      await app.limits.take(reply, tries)
      throw refusal()
    }
    // Of many tries at once, the right one as well comes too late when the window was closed before it.
    await app.limits.assertOpen(reply, tries)
  }
}

/** Tells one password from the next without saying anything of either: each hash has a salt of its own. */
function markOf(passwordHash: string | undefined): string {
  return passwordHash ? createHash('sha256').update(passwordHash).digest('base64url').slice(0, 12) : ''
}
