import { beforeAll, describe, expect, test } from 'vitest'
import { transact } from '../../src/data/tx/transact.ts'
import { visitor } from '../../src/kernel/actor.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { accept } from '../../src/plugins/invitations/invitations.actions.ts'
import { insisting, obeying } from '../support/obedient.ts'
import { AT_ONCE, ROUNDS } from '../support/races.ts'
import { openWorld, type Tenant, type World } from '../support/world.ts'

let world: World
let tenant: Tenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.givenTenant()
})

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
  const { acceptUrl } = await boss().create('/invitations', { email: `${name}@example.com` })
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
})

describe('what happens at the same moment ends as one after the other would', () => {
  test(`an invitation that is withdrawn, sent again and accepted, ${ROUNDS} times over`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const made = await boss().create('/invitations', { email: `mixed-${round}@example.com` })
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
      const { status } = await boss().read(`/invitations/${made.id}`)
      const people = await world.look.rows('select 1 from users where username = $1', [guest.username])
      expect(people).toHaveLength(accepted ? 1 : 0)
      expect(status === 'accepted').toBe(accepted)
    }
  })
})
