import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testConfig } from '../../../../../test/support/config.ts'
import { givenConfirmationToken, givenResetToken } from '../../../../../test/support/links.ts'
import { insisting, obeying } from '../../../../../test/support/obedient.ts'
import { openWorld, type Tenant, type World } from '../../../../../test/support/world.ts'
import { transact } from '../../../../data/tx/transact.ts'
import { system, visitor } from '../../../../kernel/actor.ts'
import { Fault } from '../../../../kernel/fault.ts'
import { accept } from '../../../invitations/invitations.actions.ts'
import { confirmAddress } from '../../addresses.actions.ts'
import { answerReset, confirmReset } from '../../resets.actions.ts'

/** RACE_ROUNDS=100 for the full run. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 2)
const AT_ONCE = 64
const PASSWORD = 'a long and winding road'

let world: World
let tenant: Tenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.givenTenant()
})
afterAll(() => world?.close())

const boss = () => world.as(tenant.administrator)
const times = <T>(work: (at: number) => Promise<T>) => Promise.all(Array.from({ length: AT_ONCE }, (_, at) => work(at)))

/** Past the hashing of passwords, which would let the commands arrive one after the other. @returns how each ended */
async function race(type: string, action: (tx: any, at: number) => Promise<unknown>): Promise<number[]> {
  const command = { tenantId: tenant.id, actor: visitor, requestId: 'race' }
  const outcomes = await times((at) =>
    insisting(() => transact(world.database, command, (tx) => action(tx, at))).then(
      () => 'won',
      (error) => (error instanceof Fault ? error.type : error),
    ),
  )
  const winners = outcomes.flatMap((outcome, at) => (outcome === 'won' ? [at] : []))
  expect(new Set(outcomes.filter((outcome) => outcome !== 'won'))).toEqual(new Set([type]))
  return winners
}

async function invite(name: string): Promise<string> {
  const { acceptUrl } = (await boss().post('/invitations', { email: `${name}@example.com` })).expect(201)
  return acceptUrl.split('#token=')[1]
}

describe(`of ${AT_ONCE} uses of one link at once, one succeeds`, () => {
  test(`an invitation makes one person, ${ROUNDS} times over`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const token = await invite(`round-${round}`)
      const guest = (at: number) => ({ token, username: `guest-${round}-${at}`, nickname: undefined })
      const place = { network: '10.0.0.1', ip: null, userAgent: null }
      const winners = await race('INVITATION_NOT_FOUND', (tx, at) => accept(tx, guest(at), '-', 600, place))
      expect(winners).toHaveLength(1)
      const made = await world.look.rows('select username from users where username like $1', [`guest-${round}-%`])
      expect(made).toEqual([{ username: `guest-${round}-${winners[0]}` }])
    }
  })

  test(`a link for a new password sets one password, ${ROUNDS} times over`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const person = await world.givenUser(tenant)
      const token = await givenResetToken(world, tenant.id, person.id)
      const winners = await race('RESET_NOT_FOUND', (tx, at) => confirmReset(tx, token, `hash-${at}`))
      expect(winners).toHaveLength(1)
      const [row] = await world.look.rows('select password_hash from users where id = $1', [person.id])
      expect(row).toEqual({ password_hash: `hash-${winners[0]}` })
    }
  })

  test(`a new address is confirmed once, ${ROUNDS} times over`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const person = await world.givenUser(tenant)
      const token = await givenConfirmationToken(world, tenant.id, person.id)
      expect(await race('EMAIL_TOKEN_NOT_FOUND', (tx) => confirmAddress(tx, token, true))).toHaveLength(1)
    }
  })

  test('also over HTTP', async () => {
    const token = await invite('over-http')
    // Fewer: each of them hashes a password.
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) => {
        const guest = { token, username: `http-${at}`, password: PASSWORD }
        return obeying(() => world.anyone.post('/auth/invitations/accept', guest))
      }),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const people = await world.look.rows("select 1 from users where username like 'http-%'")
    expect(people).toHaveLength(1)
  })
})

describe('what happens at the same moment ends as one after the other would', () => {
  test(`an invitation that is withdrawn, sent again and accepted, ${ROUNDS} times over`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const made = (await boss().post('/invitations', { email: `mixed-${round}@example.com` })).expect(201)
      const token = made.acceptUrl.split('#token=')[1]
      const place = { network: '10.0.0.1', ip: null, userAgent: null }
      const command = { tenantId: tenant.id, actor: visitor, requestId: 'race' }
      const guest = { token, username: `mixed-${round}`, nickname: undefined }
      const [accepted] = await Promise.all([
        insisting(() => transact(world.database, command, (tx) => accept(tx, guest, '-', 600, place))).then(
          () => true,
          () => false,
        ),
        obeying(() => boss().post(`/invitations/${made.id}/resend`)),
        obeying(() => boss().delete(`/invitations/${made.id}`)),
      ])
      const { status } = (await boss().get(`/invitations/${made.id}`)).expect(200)
      const people = await world.look.rows('select 1 from users where username = $1', [guest.username])
      expect(people).toHaveLength(accepted ? 1 : 0)
      expect(status === 'accepted').toBe(accepted)
    }
  })

  test(`of many links for one person that are asked for at once, one works, ${ROUNDS} times over`, async () => {
    const config = testConfig({ RESET_LIMIT: '0' })
    for (let round = 0; round < ROUNDS; round++) {
      const person = await world.givenUser(tenant)
      await world.look.rows('update users set email = $1 where id = $2', [`many-${round}@example.com`, person.id])
      await world.look.rows(
        'insert into password_reset_requests (tenant_id, username) select $1, $2 from generate_series(1, 8)',
        [tenant.id, person.username],
      )
      const command = { tenantId: tenant.id, actor: system, requestId: 'race' }
      await times(() => insisting(() => transact(world.database, command, (tx) => answerReset(tx, config))))
      expect(await world.look.rows('select 1 from password_reset_requests')).toEqual([])
      const rows = await world.look.rows('select sent from password_resets where user_id = $1', [person.id])
      expect(rows).toEqual([{ sent: '8' }])
    }
  })
})
