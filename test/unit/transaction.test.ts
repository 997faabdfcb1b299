import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { run, type Tx } from '../../src/data/tx/scope.ts'
import { transact } from '../../src/data/tx/transact.ts'
import type { Database } from '../../src/data/wire/database.ts'
import type { Call, Intent, Result } from '../../src/data/wire/flight.ts'

const call = (name: string, intent?: Intent): Call => ({ prepared: { name, text: name, intent }, values: [] })
const resultsOf = (calls: readonly Call[]): Result[] => calls.map(() => ({ rows: [{ now: 'now' }], affected: 1 }))

/** A database whose shared connections answer when they are told to; it remembers what was sent on which. */
function givenDatabase() {
  const log: string[] = []
  const onTheWay: (() => void)[] = []
  const names = (calls: readonly Call[]) => calls.map(({ prepared }) => prepared.name).join(' ')
  const database = {
    entering: () => call('enter'),
    send(calls: readonly Call[]) {
      log.push(`shared: ${names(calls)}`)
      return new Promise<Result[]>((resolve) => onTheWay.push(() => resolve(resultsOf(calls))))
    },
    async acquire() {
      log.push('acquire')
      const send = async (calls: readonly Call[]) => {
        log.push(`leased: ${names(calls)}`)
        return resultsOf(calls)
      }
      return { connection: { send }, release: () => log.push('release') }
    },
    log: {},
  } as unknown as Database
  const answerAll = () => {
    for (const answer of onTheWay.splice(0)) answer()
  }
  return { database, log, answerAll }
}

const command = { tenantId: 1, actor: { kind: 'system' } as const, requestId: 'r', at: '2026-01-01T00:00:00.000Z' }

test('a connection is leased only when nothing of the same transaction is pending on a shared one', async () => {
  const { database, log, answerAll } = givenDatabase()
  const done = transact(database, command, async (tx: Tx<any>) => {
    const read = run(tx, call('read'))
    await turn()
    const lock = run(tx, call('lock', 'lock'))
    await Promise.all([read, lock])
  })
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(log).toEqual(['shared: enter read'])

  answerAll()
  await done
  expect(log).toEqual(['shared: enter read', 'acquire', 'leased: begin enter lock', 'leased: commit', 'release'])
})

test('a flight that reads before it locks is refused, and its transaction with it, though the action goes on', async () => {
  const { database, log, answerAll } = givenDatabase()
  const done = transact(database, command, async (tx: Tx<any>) => {
    await tx.inOrder([run(tx, call('find', 'read')), run(tx, call('lock', 'lock'))]).catch(() => {})
  })
  void turn().then(answerAll)
  await expect(done).rejects.toThrow(
    'lock first in tx.inOrder, or declare the read with peek. It reads find and locks lock',
  )
  expect(log.join()).not.toContain('commit')
})

test('locks before reads, and a peek before a lock, travel together in their order', async () => {
  const { database, log } = givenDatabase()
  await transact(database, command, (tx: Tx<any>) =>
    tx.inOrder([run(tx, call('peek', 'peek')), run(tx, call('lock', 'lock')), run(tx, call('find', 'read'))]),
  )
  expect(log[1]).toBe('leased: begin enter peek lock find')
})

test('a flight may lock what an earlier one has read', async () => {
  const { database, log, answerAll } = givenDatabase()
  const done = transact(database, command, async (tx: Tx<any>) => {
    await run(tx, call('find', 'read'))
    await run(tx, call('lock', 'lock'))
  })
  await turn()
  answerAll()
  await done
  expect(log[2]).toBe('leased: begin enter lock')
})
