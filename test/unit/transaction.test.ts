import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { queue, run, type Tx } from '../../src/data/tx/scope.ts'
import { enterTenant, transact } from '../../src/data/tx/transact.ts'
import { type Announcement, openAnnouncements } from '../../src/data/wire/announcements.ts'
import type { Database } from '../../src/data/wire/database.ts'
import type { Call, Intent, Result } from '../../src/data/wire/flight.ts'
import { ConnectionLost } from '../../src/data/wire/unavailable.ts'

const call = (name: string, intent?: Intent): Call => ({ prepared: { name, text: name, intent }, values: [] })
const resultsOf = (calls: readonly Call[]): Result[] =>
  calls.map(({ values }) => ({
    rows: Array.from({ length: Number(values[0] ?? 1) }, () => ({ now: 'now' })),
    affected: 1,
  }))

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
    announcements: openAnnouncements(),
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

test('ids that are asked for while one is on its way are drawn together', async () => {
  const { database, log, answerAll } = givenDatabase()
  const drawn = call('draw').prepared
  const draw = () =>
    transact(database, { ...command, at: undefined }, async (tx: Tx<any>) => {
      await run(tx, { ...call('draw one'), drawn })
      expect(tx.now).toBe('now')
    })
  const done = [draw(), draw(), draw()]
  for (let flights = 0; flights < 2; flights++) {
    await turn()
    answerAll()
  }
  await Promise.all(done)
  expect(log).toEqual(['shared: enter draw', 'shared: enter draw'])
})

describe('what a command expects', () => {
  const failed = () => Object.assign(new Error('it is not so'), { code: '22012' })
  const attempt = (answers: (Error | undefined)[], claim?: object) => {
    const { database, log } = givenDatabase()
    const expected: boolean[] = []
    const send = async (calls: readonly Call[]) => {
      log.push(calls.map(({ prepared }) => prepared.name).join(' '))
      const error = answers.shift()
      return error ? Promise.reject(error) : resultsOf(calls)
    }
    const done = transact({ ...database, send }, { ...command, claim } as never, async (tx: Tx<any>) => {
      expected.push(tx.mayExpect())
      queue(tx, call(expected.at(-1) ? 'expect' : 'know', 'write'))
    })
    return { done, expected, log }
  }

  test('is not looked at, and is one flight', async () => {
    const { done, log } = attempt([undefined])
    await done
    expect(log).toEqual(['enter expect'])
  })

  test('is looked at where it was not so, at once, and on the connections of all', async () => {
    const { done, log, expected } = attempt([failed(), undefined])
    await done
    expect(expected).toEqual([true, false])
    expect(log).toEqual(['enter expect', 'enter know'])
  })

  test('is nothing under a key, whose refusal stands behind those of rights', async () => {
    const { done, expected } = attempt([], { key: 'key', gatekeeper: { enter: async () => false } })
    await expect(done).rejects.toMatchObject({ type: 'IDEMPOTENCY_KEY_REUSED' })
    expect(expected).toEqual([false])
  })
})

describe('what a statement announces', () => {
  const change = (announces: Announcement) => [call('change', 'write'), { announces }] as const
  /** A transaction whose commit is answered at once, in this way. */
  async function given(action: (tx: Tx<any>) => Promise<unknown>, commit?: Error) {
    const { database, log } = givenDatabase()
    const heard: unknown[] = []
    database.announcements.subscribe((announcement, tenantId) => heard.push([announcement, tenantId]))
    database.send = async (calls) => {
      log.push(calls.map(({ prepared }) => prepared.text).join(' '))
      if (commit) throw commit
      return resultsOf(calls)
    }
    await transact(database, command, action).catch(() => {})
    return { heard, log }
  }

  test('is told behind the commit, each thing once, with its tenant', async () => {
    const { heard } = await given(async (tx) => {
      for (let time = 0; time < 3; time++) queue(tx, ...change('rights'))
      queue(tx, ...change({ session: 7 }))
      queue(enterTenant(tx, 2, 'to see'), ...change('rights'))
    })
    expect(heard).toEqual([
      ['rights', 1],
      [{ session: 7 }, 1],
      ['rights', 2],
    ])
  })

  test('is told before the effects of the action, which may show that it has happened', async () => {
    const order: unknown[] = []
    const { database } = givenDatabase()
    database.send = async (calls) => resultsOf(calls)
    database.announcements.subscribe((announcement) => order.push(announcement))
    await transact(database, command, async (tx) => {
      tx.afterCommit('look', () => order.push('effect'))
      queue(tx, ...change('tenants'))
    })
    expect(order).toEqual(['tenants', 'effect'])
  })

  test('is told to nobody when the action fails, and told when it is not known how the commit ended', async () => {
    const failing = await given(async (tx) => {
      queue(tx, ...change('rights'))
      throw new Error('no')
    })
    expect(failing.heard).toEqual([])
    const unknown = await given(async (tx) => queue(tx, ...change('rights')), new ConnectionLost('gone'))
    expect(unknown.heard).toEqual([['rights', 1]])
  })

  test('raises the version of what the public reads, once for each tenant, as the last of its locks', async () => {
    const { log } = await given(async (tx) => {
      for (let time = 0; time < 2; time++) queue(tx, ...change('content'))
      queue(enterTenant(tx, 2, 'to see'), ...change('content'))
      queue(tx, call('last', 'write'))
    })
    expect(
      log
        .join()
        .match(/last .*/)?.[0]
        .match(/update "tenants" set "content_version"/g),
    ).toHaveLength(2)
    expect(log.join().split('last')[0]).not.toContain('content_version')
  })
})
