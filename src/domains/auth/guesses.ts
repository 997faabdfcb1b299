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
  type User,
} from '#atrium'
import { assertTurn, findPasswordHash, foldName, NO_PASSWORD, verifyPassword } from '#atrium/people'
import { authFaults } from './auth.actions.ts'

/** The claimed person of a sign-in, and their password hash if they exist. */
export interface Account {
  tenantId: number
  /** undefined if there is no such person */
  id: number | undefined
  username: string
  passwordHash: string | undefined
  /** whether they have signed in from this network before */
  isKnownHere: boolean
  /** whether anyone of the tenant has */
  isAnyoneKnownHere: boolean
}

/** A claim to be the person of an account. */
export interface Claim<A extends Account> {
  account: A
  /**
   * Whether their password is right; without `isLooked` it takes the same time and returns false. `regular` is the person
   * who goes before strangers in the password queue.
   */
  check(isLooked: boolean, regular: string | undefined): Promise<boolean>
  refusal(): Fault
}

const MINUTE_MS = 60_000
const TEN_MINUTES_MS = 600_000
const HOUR_MS = 3_600_000
/** A client that retries immediately after each refusal waits this long each time, at most twice. */
const REFUSAL_MS = 1000

/**
 * Limits guesses at passwords: `most` a minute for each network and account.
 *
 * Two more windows limit strangers. One counts their network over all accounts, so that nobody tries one password on
 * everyone: 30 times `most` in ten minutes. A network that continues with more than 6 times `most` a minute is answered
 * late, without a check of the password. The other counts the account over all networks: ten times `most` in ten minutes,
 * of which one network uses at most a twentieth.
 *
 * Neither limits people who have signed in from this network before, or whose token identifies them: with the right
 * password they get in even if a guesser shares their address. A wrong one is refused like a stranger's, with the same
 * status, headers and work, so that nobody learns who has an account. Their own window is ten times as wide.
 *
 * A window belongs to the guessed password: a new password starts an empty window in every replica immediately. So a
 * reset ends a lock-out.
 */
export function limitGuesses(app: FastifyInstance, most: number) {
  const { limits } = app
  const here = { name: 'sign-in', most, windowMs: MINUTE_MS }
  /** Replaces the one above while strangers are limited, so that its headers are the same for everyone. */
  const beside = { ...here, name: 'sign-in-beside' }
  const byStrangers = { name: 'network', most: 30 * most, windowMs: TEN_MINUTES_MS }
  const byRegulars = { name: 'network', most: 300 * most, windowMs: TEN_MINUTES_MS }
  const refused = { name: 'network-refused', most: 6 * most, windowMs: MINUTE_MS }
  const everywhere = { name: 'account', most: 10 * most, windowMs: TEN_MINUTES_MS }
  const share = { name: 'account-share', most: Math.ceil(most / 2), windowMs: TEN_MINUTES_MS }
  /** For one account on one network, right passwords included; beyond it they wait like anyone. */
  const often = { name: 'regular', most: 3 * most, windowMs: MINUTE_MS }
  /** Separate from sign-in, so that guessing strangers cannot block a change of the password. */
  const ofOneself = { name: 'password', most: 10 * most, windowMs: TEN_MINUTES_MS }

  /** Six digits are guessed sooner than a password: codes of an account have a window for all networks together. */
  const codes = { name: 'second-factor', most: 5 * most, windowMs: HOUR_MS }

  const keyOf = ({ tenantId, username, passwordHash }: Pick<Account, 'tenantId' | 'username' | 'passwordHash'>) =>
    `${tenantId} ${foldName(username)} ${markOf(passwordHash)}`

  return {
    /**
     * Returns the account if the password is right; counts only refusals.
     * @param claim finds the claimed account; a network that is refused everything does not see its faults
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
      // They would fill the audit.
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
      // A late answer shows no windows: for strangers none was checked.
      if (!isEndless) await limits.assertOpen(reply, [own])
      const isHeld = isEndless || (await areStrangersHeld())
      // If nobody is known here, a refusal reveals nothing, so it need not take as long as a check of a password.
      if (isHeld && !isExempt && !account.isAnyoneKnownHere) return refuse()
      const windows = isHeld ? [own, ofRegulars, ownBeside] : [own, ofRegulars]
      if (await check(isExempt ? await areOpen(windows) : !isHeld, regular)) {
        // Of many concurrent tries, the right one also fails if the window has closed before it.
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

    /**
     * Checks a code of the second factor of somebody whose password is right. Wrong ones are counted.
     * @throws RATE_LIMITED if there were too many
     */
    async checkCode<P>(account: Account, check: () => Promise<P | undefined>): Promise<P | undefined> {
      const guess = { limit: codes, key: keyOf(account) }
      if (!(await limits.isOpen(guess)))
        throw faults.rateLimited([], { 'retry-after': String(HOUR_MS / 1000) }, codes.name)
      const proof = await check()
      if (!proof) await limits.tally(guess)
      return proof
    },

    /** Checks the current password of a person who changes it. @throws WRONG_PASSWORD, RATE_LIMITED */
    proveOwn: async (req: FastifyRequest, reply: FastifyReply, password: string): Promise<void> =>
      prove(req, reply, password, await hashOf(req.user)),

    /** The same of a person who may have none, and then proves nothing: they came by a provider or a directory. */
    async proveOwnIfAny(req: FastifyRequest, reply: FastifyReply, password: string): Promise<void> {
      const passwordHash = await hashOf(req.user)
      if (passwordHash !== NO_PASSWORD) await prove(req, reply, password, passwordHash)
    },
  }

  async function hashOf({ id, tenantId }: User): Promise<string | undefined> {
    return (await findPasswordHash(openScope(app.database, tenantId), { id }))?.passwordHash
  }

  async function prove(req: FastifyRequest, reply: FastifyReply, password: string, passwordHash: string | undefined) {
    const { tenantId, username } = req.user
    const network = networkOf(req.ip)
    const name = keyOf({ tenantId, username, passwordHash })
    const own = { limit: here, key: `${network} ${name}` }
    const tries = [own, { limit: ofOneself, key: name }]
    await limits.assertOpen(reply, tries)
    const regular = await regularOf({ isKnownHere: true }, own.key)
    if (!(await verifyPassword(password, passwordHash, network, regular))) {
      await limits.take(reply, tries)
      throw authFaults.wrongPassword()
    }
    await limits.assertOpen(reply, tries)
  }

  async function areOpen(windows: readonly Attempt[]): Promise<boolean> {
    for (const window of windows) if (!(await limits.isOpen(window))) return false
    return true
  }

  /** A person known here goes before strangers, unless the account signs in too often. */
  async function regularOf({ isKnownHere }: Pick<Account, 'isKnownHere'>, key: string): Promise<string | undefined> {
    return isKnownHere && (await limits.tally({ limit: often, key })) ? key : undefined
  }

  /** @throws RATE_LIMITED, late, if too many of this network wait */
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

/** Distinguishes passwords without revealing them: each hash has its own salt. */
function markOf(passwordHash: string | undefined): string {
  return passwordHash ? createHash('sha256').update(passwordHash).digest('base64url').slice(0, 12) : ''
}
