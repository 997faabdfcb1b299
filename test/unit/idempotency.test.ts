import { describe, expect, test } from 'vitest'
import type { Gatekeeper } from '../../src/data/coordination/coordination.ts'
import { queue, run, type Tx } from '../../src/data/tx/scope.ts'
import { transact } from '../../src/data/tx/transact.ts'
import { openAnnouncements } from '../../src/data/wire/announcements.ts'
import type { Database } from '../../src/data/wire/database.ts'
import type { Call, FlightError, Intent } from '../../src/data/wire/flight.ts'
import type { User, Visitor } from '../../src/kernel/actor.ts'
import { fault } from '../../src/kernel/fault.ts'

const taken = fault('PROJECT_CODE_TAKEN', 409, 'This project code is taken')
const gone = fault('NOT_FOUND', 404, 'Project not found')

const call = (name: string, intent?: Intent): Call => ({ prepared: { name, text: name, intent }, values: [] })
const asIs = (calls: readonly Call[]) =>
  calls.map(({ prepared: { text } }) => {
    if (text.startsWith('insert into "idempotency_keys"')) return 'claim'
    return text.startsWith('insert into "visitor_keys"') ? 'claim of a visitor' : text
  })

interface Given {
  isFree?: boolean
  isAway?: boolean
  gate?: boolean
  who?: Visitor
  /** so many flights fail first, of another transaction */
  deadlocks?: number
}

/** Runs an action under a key that is free or not; flights that hold the statement `violate` fail of a constraint. */
async function given(
  { isFree = true, isAway = false, gate, who, deadlocks = 0 }: Given,
  action: (tx: Tx) => Promise<unknown>,
) {
  const flights: string[] = []
  const send = async (calls: readonly Call[]) => {
    const names = asIs(calls)
    flights.push(names.join(' '))
    if (names.includes('claim') && deadlocks-- > 0) throw Object.assign(new Error('deadlock'), { code: '40P01' })
    if (names.includes('violate')) {
      const violation = { constraint: 'code_taken', code: '23505', statement: names.indexOf('violate') }
      throw Object.assign(new Error('violated'), violation) as FlightError
    }
    const ofClaim = { rows: isFree ? [{ key: 'once', now: 'now' }] : [], affected: Number(isFree) }
    return names.map((name) => (name.startsWith('claim') ? ofClaim : { rows: [{ now: 'now' }], affected: 1 }))
  }
  const database = {
    entering: (tenantId: number) => call(tenantId === 1 ? 'enter' : `enter ${tenantId}`),
    send: (_: number, calls: readonly Call[]) => send(calls),
    acquire: async () => ({ connection: { send }, release() {} }),
    announcements: openAnnouncements(),
    log: {},
  } as unknown as Database
  const asked: string[] = []
  const gatekeeper: Gatekeeper = {
    async enter(_tx, name) {
      asked.push(name)
      return gate!
    },
  }
  const answer = await transact(
    database,
    {
      tenantId: 1,
      actor: who ?? ({ kind: 'user', id: 7, tenantId: isAway ? 2 : 1 } as User),
      requestId: 'r',
      at: '2026-01-01T00:00:00.000Z',
      claim: { key: 'once', gatekeeper: gate === undefined ? undefined : gatekeeper },
    },
    action as (tx: Tx<any>) => Promise<unknown>,
  ).catch((error) => error.type ?? error)
  return { answer, flights, asked }
}

const makeIt = async (tx: Tx) => {
  await run(tx, call('read', 'read'))
  queue(tx, call('write', 'write'))
  return 'made'
}
const refuseWith = (reason: () => Error) => async (tx: Tx) => {
  await run(tx, call('read', 'read'))
  throw reason()
}

test('a key that is free is claimed in the flight of what the action asks first', async () => {
  expect(await given({}, makeIt)).toMatchObject({
    answer: 'made',
    flights: ['begin enter claim read', 'write commit'],
  })
})

describe('a key that was used', () => {
  test.each([
    [true, 'PROJECT_CODE_TAKEN'],
    [false, 'IDEMPOTENCY_KEY_REUSED'],
  ])('is asked for again, alone, when its flight hit a constraint (free: %s)', async (isFree, answer) => {
    const violate = (tx: Tx) => run(tx, call('violate', 'write'), { conflicts: { code_taken: taken } })
    expect(await given({ isFree }, violate)).toMatchObject({
      answer,
      flights: ['begin enter claim violate', 'rollback', 'begin enter claim', 'rollback'],
    })
  })

  test.each([
    [true, 'PROJECT_CODE_TAKEN'],
    [false, 'IDEMPOTENCY_KEY_REUSED'],
  ])('is asked for again also after the last try (free: %s)', async (isFree, answer) => {
    const violate = (tx: Tx) => run(tx, call('violate', 'write'), { conflicts: { code_taken: taken } })
    const { answer: answered, flights } = await given({ isFree, deadlocks: 3 }, violate)
    expect([answered, flights.length]).toEqual([answer, 10])
  })
})

describe('a gate in front', () => {
  test('that is closed spares the database the claim, and says what the claim would', async () => {
    const closed = await given({ gate: false }, makeIt)
    expect(closed).toMatchObject({ answer: 'IDEMPOTENCY_KEY_REUSED', flights: ['enter read'] })
    expect((await given({ gate: false }, refuseWith(gone))).answer).toBe('NOT_FOUND')
  })

  test('that is open leaves the last word to the claim', async () => {
    const { answer, flights, asked } = await given({ gate: true, isFree: false }, makeIt)
    expect([answer, asked.length, flights[0]]).toEqual(['IDEMPOTENCY_KEY_REUSED', 1, 'begin enter claim read'])
  })
})
