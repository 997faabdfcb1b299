import { type Actor, type Config, fail, outgoingMail, type Scope, type Sealer, type Tx } from '#atrium'
import type { Proof, SecondFactors } from '#atrium/auth'
import {
  findCredentials,
  findOfficeHolder,
  lockSecondFactor,
  peopleFaults,
  recordUserFields,
  type SecondFactorOf,
  saveSecondFactorAt,
  typed,
} from '#atrium/people'
import { listRolesHeld, loadAuthority } from '#atrium/roles'
import { getPolicy } from '#atrium/tenants'
import {
  assertMayTakeOff,
  hashRecoveryCode,
  newRecoveryCodes,
  placeOf,
  readCode,
  secondFactorFaults,
} from './second-factor.rules.ts'
import {
  findFactor,
  findRecoveryCode,
  insertRecoveryCode,
  lockFactor,
  removeFactor,
  removeRecoveryCodes,
  saveUnconfirmed,
  useRecoveryCode,
  useStep,
} from './second-factor.store.ts'
import { loadTotp, type Totp } from './totp.ts'

/** Keeps a secret for the actor, until a code confirms it. @throws SECOND_FACTOR_EXISTS */
export async function beginSecondFactor(tx: Tx, secret: string): Promise<void> {
  const { id: userId } = tx.actor
  const user = await lockSecondFactor(tx, { id: userId })
  if (user?.secondFactorAt) throw secondFactorFaults.exists()
  saveUnconfirmed(tx, { userId, secret: tx.sealer.seal(secret, placeOf(tx.tenantId, userId)) })
}

/**
 * Turns the actor's second factor on, with the first code of their app, which is used up by it, and mails them that it is.
 * @param config undefined if nobody is to get a mail
 * @returns the recovery codes, which are stored as hashes
 * @throws SECOND_FACTOR_EXISTS, NOT_FOUND if none was begun, WRONG_CODE
 */
export async function confirmSecondFactor(tx: Tx, totp: Totp, typed: string, config?: Config): Promise<string[]> {
  const { id: userId } = tx.actor
  const [user, begun] = await tx.inOrder([lockSecondFactor(tx, { id: userId }), lockFactor(tx, { userId })])
  if (!user) throw peopleFaults.notFound()
  if (user.secondFactorAt) throw secondFactorFaults.exists()
  const { secret, now } = begun ?? fail(secondFactorFaults.notFound())
  const code = readCode(typed)
  const plain = tx.sealer.open(secret, placeOf(tx.tenantId, userId))
  const step = code && 'digits' in code ? totp.stepOf(plain, code.digits, Date.parse(now)) : undefined
  if (step === undefined) throw secondFactorFaults.wrongCode()
  await useStep(tx, { userId, step, secret })
  saveSecondFactorAt(tx, { id: userId, secondFactorAt: tx.now })
  recordUserFields(tx, userId, ['secondFactor'])
  removeRecoveryCodes(tx, { userId })
  const codes = newRecoveryCodes()
  for (const code of codes)
    insertRecoveryCode(tx, { userId, codeHash: hashRecoveryCode(code.replaceAll('-', ''), tx.tenantId, userId) })
  if (config) await mailTo(tx, user, 'SECOND_FACTOR_ADDED', config)
  return codes
}

/** Removes the actor's own second factor, whose password was checked. @throws NOT_FOUND */
export async function removeOwnSecondFactor(tx: Tx): Promise<void> {
  const user = await lockSecondFactor(tx, { id: tx.actor.id })
  if (!user?.secondFactorAt) throw secondFactorFaults.notFound()
  forgetSecondFactor(tx, { userId: tx.actor.id })
  recordUserFields(tx, tx.actor.id, ['secondFactor'])
}

/**
 * Takes the second factor off a person who has lost it, who gets a mail.
 * @throws NOT_FOUND (user, second factor), PERMISSION_DENIED, RESERVED
 */
export async function takeOffSecondFactor(tx: Tx, id: number, config: Config): Promise<void> {
  const [user, roles, authority, officeHolder] = await tx.inOrder([
    lockSecondFactor(tx, { id }),
    listRolesHeld(tx, { userId: id }),
    loadAuthority(tx),
    findOfficeHolder(tx),
  ])
  if (!user) throw peopleFaults.notFound()
  const isActor = id === tx.actor.id && tx.tenantId === tx.actor.tenantId
  assertMayTakeOff({ roles, isActor, holdsOffice: id === officeHolder }, authority)
  await takeOff(tx, user, config)
}

/** The same by the operator, who may do it to anybody. @throws NOT_FOUND (user, second factor) */
export async function takeOffByOperator(tx: Tx<Actor>, username: string, config: Config): Promise<void> {
  const named = (await findCredentials(tx, typed(username))) ?? fail(peopleFaults.notFound())
  const user = (await lockSecondFactor(tx, { id: named.id })) ?? fail(peopleFaults.notFound())
  await takeOff(tx, user, config)
}

async function takeOff(tx: Tx<Actor>, user: SecondFactorOf, config: Config): Promise<void> {
  const { id, secondFactorAt } = user
  if (!secondFactorAt) throw secondFactorFaults.notFound()
  forgetSecondFactor(tx, { userId: id })
  recordUserFields(tx, id, ['secondFactor'])
  await mailTo(tx, user, 'SECOND_FACTOR_REMOVED', config)
}

/** The person learns of a change that somebody else may have made. */
async function mailTo(
  tx: Tx<Actor>,
  { id, username, email, locale }: SecondFactorOf,
  kind: 'SECOND_FACTOR_ADDED' | 'SECOND_FACTOR_REMOVED',
  config: Config,
): Promise<void> {
  if (!email || !outgoingMail.get().canSend(config)) return
  const policy = await getPolicy(tx, { id: tx.tenantId })
  await outgoingMail
    .get()
    .send(tx, { kind, to: email, userId: id, locale: locale ?? policy.locale, facts: { username } })
}

function forgetSecondFactor(tx: Tx<Actor>, { userId }: { userId: number }): void {
  saveSecondFactorAt(tx, { id: userId, secondFactorAt: null })
  removeFactor(tx, { userId })
  removeRecoveryCodes(tx, { userId })
}

/** What sign-in asks for. */
export const atSignIn: SecondFactors = {
  async check(scope: Scope, sealer: Sealer, userId: number, typed: string): Promise<Proof | undefined> {
    const code = readCode(typed)
    if (!code) return undefined
    if ('recovery' in code) {
      const codeHash = hashRecoveryCode(code.recovery, scope.tenantId, userId)
      return (await findRecoveryCode(scope, { userId, codeHash })) && { codeHash }
    }
    const [totp, factor] = await Promise.all([loadTotp(), findFactor(scope, { userId })])
    if (!factor) return undefined
    const place = placeOf(scope.tenantId, userId)
    const secret = sealer.open(factor.secret, place)
    const step = totp.stepOf(secret, code.digits, Date.parse(factor.now))
    if (step === undefined || factor.usedSteps.includes(step)) return undefined
    return { step, sealed: sealer.isOld(factor.secret) ? sealer.seal(secret, place) : factor.secret }
  },
  async use(tx: Tx<Actor>, userId: number, proof: Proof): Promise<boolean> {
    const { affected } =
      'step' in proof
        ? await useStep(tx, { userId, step: proof.step, secret: proof.sealed })
        : await useRecoveryCode(tx, { userId, codeHash: proof.codeHash })
    return affected === 1
  },
}
