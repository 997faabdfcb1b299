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
import { assertTurn, findPasswordHash, foldName, verifyPassword } from '#atrium/people'
import { authFaults } from './auth.actions.ts'

/** Somebody who is said to be signing in, and the password they have, if there is such a person. */
export interface Account {
  tenantId: number
  /** absent where there is no such person */
  id: number | undefined
  username: string
  passwordHash: string | undefined
  /** whether they have signed in from this network before */
  isKnownHere: boolean
  /** whether anybody of the tenant has */
  isAnyoneKnownHere: boolean
}

/** Somebody's claim to be the person of an account. */
export interface Claim<A extends Account> {
  account: A
  /**
   * Whether their password is right; without `isLooked` it takes the same time and says no. `regular` is who goes before
   * strangers in the queue of passwords.
   */
  check(isLooked: boolean, regular: string | undefined): Promise<boolean>
  refusal(): Fault
}

const MINUTE_MS = 60_000
const TEN_MINUTES_MS = 600_000
/** A client that asks again as soon as it is refused waits for so long each time, and for at most twice as long. */
const REFUSAL_MS = 1000

/**
 * Guesses at passwords, and what limits them. `most` a minute by network and account.
 *
 * Strangers are held by two windows more. One is of their network over all accounts, so that nobody tries one password on
 * everybody: 30 times `most` in ten minutes. A network that goes on after that, more than 6 times `most` a minute, is
 * answered late and without a look at the password. The other is of the account, from wherever: ten times `most` in ten
 * minutes, of which one network counts for a twentieth at most.
 *
 * Neither holds people who have signed in from this network before, or whose token says who they are: with the right
 * password they get in beside a guesser who shares their address. With a wrong one they are refused as a stranger is: the
 * same status, headers and work, so that nobody learns by them who has an account. Their own window is ten times as wide.
 *
 * A window belongs to the password that is guessed at: a new one begins with an empty window, in every replica at once.
 * So a reset ends a lock-out.
 */
export function limitGuesses(app: FastifyInstance, most: number) {
  const { limits } = app
  const here = { name: 'sign-in', most, windowMs: MINUTE_MS }
  /** While strangers are held, in place of the one above, whose headers must not differ for those who are not. */
  const beside = { ...here, name: 'sign-in-beside' }
  const byStrangers = { name: 'network', most: 30 * most, windowMs: TEN_MINUTES_MS }
  const byRegulars = { name: 'network', most: 300 * most, windowMs: TEN_MINUTES_MS }
  const refused = { name: 'network-refused', most: 6 * most, windowMs: MINUTE_MS }
  const everywhere = { name: 'account', most: 10 * most, windowMs: TEN_MINUTES_MS }
  const share = { name: 'account-share', most: Math.ceil(most / 2), windowMs: TEN_MINUTES_MS }
  /** Of one account on one network, right passwords included; more often than that they wait like anybody. */
  const often = { name: 'regular', most: 3 * most, windowMs: MINUTE_MS }
  /** Apart from the sign-in's: strangers who guess there must not keep anybody from changing their password. */
  const ofOneself = { name: 'password', most: 10 * most, windowMs: TEN_MINUTES_MS }

  const keyOf = ({ tenantId, username, passwordHash }: Pick<Account, 'tenantId' | 'username' | 'passwordHash'>) =>
    `${tenantId} ${foldName(username)} ${markOf(passwordHash)}`

  return {
    /**
     * The account of somebody whose password is right; counts what is refused, and only that.
     * @param claim who it is said to be; what it throws, a network that is not listened to does not hear
     * @throws what `claim` throws, and its refusal; RATE_LIMITED
     */
    async signIn<A extends Account>(
      req: FastifyRequest,
      reply: FastifyReply,
      claim: () => Promise<Claim<A>>,
    ): Promise<A> {
      const lateAt = performance.now() + REFUSAL_MS * (1 + Math.random())
      const network = networkOf(req.ip)
      const ofRefused = { limit: refused, key: network }
      const isEndless = !(await limits.isOpen(ofRefused))
      const refuse = async (): Promise<never> => {
        await limits.tally(ofRefused)
        if (isEndless) await until(lateAt)
        throw faults.rateLimited([], { 'retry-after': String(MINUTE_MS / 1000) }, 'network')
      }
      // So many would fill the audit.
      const refuseUnseen = () => {
        req.auditSubject = undefined
        return refuse()
      }
      const claimed = claim()
      const { account, check, refusal } = await (isEndless ? claimed.catch(refuseUnseen) : claimed)
      const name = keyOf(account)
      const own = { limit: here, key: `${network} ${name}` }
      const ofNetwork = { limit: byStrangers, key: network }
      const ofAccount = { limit: everywhere, key: name }
      const ofRegulars = { limit: byRegulars, key: `${network} regulars` }
      const ownBeside = { limit: beside, key: own.key }
      const isExempt = account.isKnownHere || isThemselves(req, account)
      const areStrangersHeld = async () => !(await areOpen([ofNetwork, ofAccount]))

      if (isEndless && !isExempt) return refuseUnseen()
      const regular = await regularOf(account, own.key)
      if (!regular) await assertTurnOf(network, lateAt)
      // A late answer says nothing of the windows: for strangers none was looked at.
      if (!isEndless) await limits.assertOpen(reply, [own])
      const isHeld = isEndless || (await areStrangersHeld())
      // Where nobody is known, there is nobody to take them for: a refusal need not cost what a look at a password does.
      if (isHeld && !isExempt && !account.isAnyoneKnownHere) return refuse()
      const windows = isHeld ? [own, ofRegulars, ownBeside] : [own, ofRegulars]
      if (await check(isExempt ? await areOpen(windows) : !isHeld, regular)) {
        // Of many tries at once, the right one as well comes too late when the window was closed before it.
        if (!isEndless) await limits.assertOpen(reply, [own])
        if (isExempt || !(await areStrangersHeld())) return account
        return refuse()
      }
      const isCounted = await limits.tally(account.isKnownHere ? ofRegulars : ofNetwork)
      if (isHeld) {
        if (isExempt) await limits.tally(ownBeside)
        return refuse()
      }
      await limits.take(reply, [own])
      if (!isExempt && (await limits.tally({ limit: share, key: own.key }))) await limits.tally(ofAccount)
      if (!isCounted) return refuse()
      throw refusal()
    },

    /** People who change their own password say the one they have. @throws WRONG_PASSWORD, RATE_LIMITED */
    async proveOwn(req: FastifyRequest, reply: FastifyReply, password: string): Promise<void> {
      const { id, tenantId, username } = req.user
      const network = networkOf(req.ip)
      const found = await findPasswordHash(openScope(app.database, tenantId), { id })
      const name = keyOf({ tenantId, username, passwordHash: found?.passwordHash })
      const own = { limit: here, key: `${network} ${name}` }
      const tries = [own, { limit: ofOneself, key: name }]
      await limits.assertOpen(reply, tries)
      const regular = await regularOf({ isKnownHere: true }, own.key)
      if (!(await verifyPassword(password, found?.passwordHash, network, regular))) {
        await limits.take(reply, tries)
        throw authFaults.wrongPassword()
      }
      await limits.assertOpen(reply, tries)
    },
  }

  async function areOpen(windows: readonly Attempt[]): Promise<boolean> {
    for (const window of windows) if (!(await limits.isOpen(window))) return false
    return true
  }

  /** Who is known here goes before strangers, but for an account that signs in again and again. */
  async function regularOf({ isKnownHere }: Pick<Account, 'isKnownHere'>, key: string): Promise<string | undefined> {
    return isKnownHere && (await limits.tally({ limit: often, key })) ? key : undefined
  }

  /** @throws RATE_LIMITED where too many of this network wait, and late */
  async function assertTurnOf(network: string, lateAt: number): Promise<void> {
    try {
      assertTurn(network)
    } catch (refusal) {
      await until(lateAt)
      throw refusal
    }
  }
}

function isThemselves({ actor }: FastifyRequest, { tenantId, id }: Account): boolean {
  return actor.kind === 'user' && actor.tenantId === tenantId && actor.id === id
}

async function until(time: number): Promise<void> {
  await sleep(Math.max(0, time - performance.now()))
}

/** Tells one password from the next without saying anything of either: each hash has a salt of its own. */
function markOf(passwordHash: string | undefined): string {
  return passwordHash ? createHash('sha256').update(passwordHash).digest('base64url').slice(0, 12) : ''
}
