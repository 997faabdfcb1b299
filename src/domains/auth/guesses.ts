import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Attempt,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type Fault,
  faults,
  networkOf,
  openScope,
} from '#atrium'
import { assertTurn, findPasswordHash, verifyPassword } from '#atrium/people'
import { authFaults } from './auth.actions.ts'

/** Somebody who is said to be signing in, and the password they have, if there is such a person. */
export interface Account {
  tenantId: number
  username: string
  passwordHash: string | undefined
  /** whether they have signed in from this network before */
  isKnownHere: boolean
}

/** A guess that counts; with `share`, only as long as that has room, so that one network alone does not fill the window. */
type Guess = Attempt & { share?: Attempt }

const MINUTE_MS = 60_000
const TEN_MINUTES_MS = 600_000
/** Whoever asks again as soon as they are refused does so no oftener on each connection, and not all at once. */
const REFUSAL_MS = 1000

/**
 * Guesses at passwords, and what limits them. `most` a minute by network and account. Of one network over all accounts,
 * so that nobody tries one password on everybody: 30 times that in ten minutes, and ten times as many more at accounts
 * that have signed in there before, so that people who share an address with a guesser are not shut out with them. One
 * that is refused and goes on, more than 6 times `most` a minute, is not listened to any more: nothing is looked up.
 *
 * Of one account from wherever: ten times `most` in ten minutes, of which one network counts for a twentieth at most. Who
 * has signed in from a network before, or says by their token who they are, is not held by that one: strangers who guess
 * elsewhere keep nobody out.
 *
 * A window belongs to the password that is guessed at: a new one begins with an empty window, in every replica at once.
 * So a reset ends a lock-out.
 */
export function limitGuesses(app: FastifyInstance, most: number) {
  const here = { name: 'sign-in', most, windowMs: MINUTE_MS }
  const byStrangers = { name: 'network', most: 30 * most, windowMs: TEN_MINUTES_MS }
  const byRegulars = { name: 'network', most: 300 * most, windowMs: TEN_MINUTES_MS }
  const refused = { name: 'network-refused', most: 6 * most, windowMs: MINUTE_MS }
  const everywhere = { name: 'account', most: 10 * most, windowMs: TEN_MINUTES_MS }
  const share = { name: 'account-share', most: Math.ceil(most / 2), windowMs: TEN_MINUTES_MS }
  /** Of one account on one network, right passwords included; more often than that they wait like anybody. */
  const often = { name: 'regular', most: 3 * most, windowMs: MINUTE_MS }
  /** Apart from the sign-in's: strangers who guess there must not keep anybody from changing their password. */
  const ofOneself = { name: 'password', most: 10 * most, windowMs: TEN_MINUTES_MS }

  const keyOf = ({ tenantId, username, passwordHash }: Account) =>
    `${tenantId} ${username.normalize('NFC')} ${markOf(passwordHash)}`

  return {
    /** Whether this network is listened to at all. @throws RATE_LIMITED */
    async admit({ ip }: FastifyRequest): Promise<void> {
      const network = networkOf(ip)
      try {
        assertTurn(network)
        if (await app.limits.isOpen({ limit: refused, key: network })) return
        throw faults.rateLimited([], { 'retry-after': String(MINUTE_MS / 1000) }, refused.name)
      } catch (refusal) {
        await sleep(REFUSAL_MS * (1 + Math.random()))
        throw refusal
      }
    },

    /** What a sign-in counts under. */
    ofSignIn({ ip, actor }: FastifyRequest, account: Account): Guess[] {
      const network = networkOf(ip)
      const name = keyOf(account)
      const isThemselves =
        actor.kind === 'user' && actor.tenantId === account.tenantId && actor.username === account.username
      const fromHere = [
        { limit: here, key: `${network} ${name}` },
        account.isKnownHere ? { limit: byRegulars, key: `${network} regulars` } : { limit: byStrangers, key: network },
      ]
      if (isThemselves || account.isKnownHere) return fromHere
      return [...fromHere, { limit: everywhere, key: name, share: { limit: share, key: `${network} ${name}` } }]
    },

    prove,

    /**
     * Whether somebody goes before strangers in the queue of passwords: those who are known on this network do, but for
     * one who signs in again and again, who would keep the others waiting.
     */
    async goesFirst({ ip }: FastifyRequest, account: Account): Promise<boolean> {
      return account.isKnownHere && app.limits.tally({ limit: often, key: `${networkOf(ip)} ${keyOf(account)}` })
    },

    /** Whoever changes their own password says the one they have. @throws WRONG_PASSWORD, RATE_LIMITED */
    async proveOwn(req: FastifyRequest, reply: FastifyReply, password: string): Promise<void> {
      const { id, tenantId, username } = req.user
      const network = networkOf(req.ip)
      const found = await findPasswordHash(openScope(app.database, tenantId), { id })
      const account = { tenantId, username, passwordHash: found?.passwordHash, isKnownHere: true }
      const name = keyOf(account)
      const isFirst = await this.goesFirst(req, account)
      const tries = [
        { limit: here, key: `${network} ${name}` },
        { limit: ofOneself, key: name },
      ]
      const check = () => verifyPassword(password, found?.passwordHash, network, isFirst)
      await prove(reply, tries, check, authFaults.wrongPassword)
    },
  }

  /** Counts what is refused, and only that. @throws `refusal`, RATE_LIMITED */
  async function prove(
    reply: FastifyReply,
    tries: readonly Guess[],
    check: () => Promise<boolean>,
    refusal: () => Fault,
  ): Promise<void> {
    await assertOpen(reply, tries)
    if (!(await check())) {
      for (const once of tries)
        if (!once.share || (await app.limits.tally(once.share))) await app.limits.take(reply, [once])
      throw refusal()
    }
    // Of many tries at once, the right one as well comes too late when the window was closed before it.
    await app.limits.assertOpen(reply, tries)
  }

  async function assertOpen(reply: FastifyReply, tries: readonly Guess[]): Promise<void> {
    for (const once of tries)
      try {
        await app.limits.assertOpen(reply, [once])
      } catch (refusal) {
        if (once.limit === byStrangers) await app.limits.tally({ limit: refused, key: once.key })
        throw refusal
      }
  }
}

/** Tells one password from the next without saying anything of either: each hash has a salt of its own. */
function markOf(passwordHash: string | undefined): string {
  return passwordHash ? createHash('sha256').update(passwordHash).digest('base64url').slice(0, 12) : ''
}
