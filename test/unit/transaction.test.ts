import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { last, queue, run, type Tx } from '../../src/data/tx/scope.ts'
import { enterTenant, transact } from '../../src/data/tx/transact.ts'
import { type Announcement, openAnnouncements } from '../../src/data/wire/announcements.ts'
import type { Database } from '../../src/data/wire/database.ts'
import type { Call, Intent, Result } from '../../src/data/wire/flight.ts'
import { ConnectionLost, OutcomeUnknown } from '../../src/data/wire/unavailable.ts'

const call = (name: string, intent?: Intent): Call => ({ prepared: { name, text: name, intent }, values: [] })
const resultsOf = (calls: readonly Call[]): Result[] =>
  calls.map(({ values }) => ({
    rows: Array.from({ length: Number(values[0] ?? 1) }, () => ({ now: 'now' })),
    affected: 1,
  }))

/** A database whose shared connections answer on demand; it remembers what was sent on which. */
function givenDatabase() {
  const log: string[] = []
  const onTheWay: (() => void)[] = []
  const names = (calls: readonly Call[]) => calls.map(({ prepared }) => prepared.name).join(' ')
  const database = {
    entering: () => call('enter'),
    send(_: number, calls: readonly Call[]) {
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
    const read = run(tx, call('read', 'read'))
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

test('what a branch asks while another one fails never leaves after the rollback', async () => {
  for (let hops = 0; hops < 12; hops++) {
    const { database, log } = givenDatabase()
    const answers: Promise<unknown>[] = []
    const done = transact(database, command, async (tx: Tx<any>) => {
      await run(tx, call('lock', 'lock'))
      void (async () => {
        for (let hop = 0; hop < hops; hop++) await undefined
        answers.push(run(tx, call('late', 'write')).catch(() => 'refused'))
      })()
      throw new Error('no')
    })
    await expect(done).rejects.toThrow('no')
    for (let turns = 0; turns < 3; turns++) await turn()
    expect(log.slice(-2), `${hops} hops`).toEqual(['leased: rollback', 'release'])
    expect(answers).toHaveLength(1)
  }
})

test('only a command that may be lost does not wait for the disk, and its commit says so last', async () => {
  const { database, log, answerAll } = givenDatabase()
  const mark = async (tx: Tx<any>) => queue(tx, call('mark', 'write'))
  const lockAndMark = async (tx: Tx<any>) => {
    await run(tx, call('lock', 'lock'))
    await mark(tx)
  }
  for (const [action, mayBeLost] of [
    [mark, true],
    [lockAndMark, true],
    [mark, false],
  ] as const) {
    const done = transact(database, { ...command, mayBeLost }, action)
    void turn().then(answerAll)
    await done
  }
  expect(log.filter((line) => /mark/.test(line))).toEqual([
    'shared: enter mark asynchronous',
    'leased: mark asynchronous commit',
    'shared: enter mark',
  ])
})

test('a flight that reads before it locks is refused, and its transaction with it, though the action goes on', async () => {
  const { database, log, answerAll } = givenDatabase()
  const done = transact(database, command, async (tx: Tx<any>) => {
    await tx.inOrder([run(tx, call('find', 'read')), run(tx, call('lock', 'lock'))]).catch(() => {})
  })
  void turn().then(answerAll)
  await expect(done).rejects.toThrow(
    'lock first in tx.inOrder, or declare the read with { beforeLock: true }. It reads find and locks lock',
  )
  expect(log.join()).not.toContain('commit')
})

test('locks before reads, and a read that may stand before a lock, travel together in their order', async () => {
  const { database, log } = givenDatabase()
  const early: Call = { prepared: { name: 'early', text: 'early', intent: 'read', beforeLock: true }, values: [] }
  await transact(database, command, (tx: Tx<any>) =>
    tx.inOrder([run(tx, early), run(tx, call('lock', 'lock')), run(tx, call('find', 'read'))]),
  )
  expect(log[1]).toBe('leased: begin enter early lock find')
})

test('flights of one transaction leave one after the other', async () => {
  const { database, log, answerAll } = givenDatabase()
  const done = transact(database, command, async (tx: Tx<any>) => {
    const first = run(tx, call('first'))
    await turn()
    await Promise.all([first, run(tx, call('second'))])
  })
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(log).toEqual(['shared: enter first'])
  answerAll()
  await turn()
  answerAll()
  await done
  expect(log).toEqual(['shared: enter first', 'shared: enter second'])
})

test('a change that answers with the commit needs no flight and no connection of its own', async () => {
  const { database, log, answerAll } = givenDatabase()
  const done = transact(database, command, async (tx: Tx<any>) => ({ taken: last(tx, call('take', 'write')) }))
  await turn()
  await turn()
  expect(log).toEqual(['shared: enter take'])

  answerAll()
  const { taken } = await done
  expect((await taken).rows).toEqual([{ now: 'now' }])
})

test('a change that was to answer with the commit leaves earlier with a statement that is awaited, in its order', async () => {
  const { database, log } = givenDatabase()
  await transact(database, command, async (tx: Tx<any>) => {
    const taken = last(tx, call('take', 'write'))
    await run(tx, call('look'))
    return { taken }
  })
  expect(log).toEqual(['acquire', 'leased: begin enter take look', 'leased: commit', 'release'])
})

test('the answer of a commit that fails is no unhandled rejection, because the command itself fails', async () => {
  const { database } = givenDatabase()
  database.send = () => Promise.reject(new ConnectionLost('gone'))
  const answers: Promise<Result>[] = []
  const done = transact(database, command, async (tx: Tx<any>) => answers.push(last(tx, call('take', 'write'))))
  await expect(done).rejects.toBeInstanceOf(OutcomeUnknown)
  await turn()
  await expect(answers[0]).rejects.toBeInstanceOf(OutcomeUnknown)
})

test('the clock is read after the first statements, unless an id that was drawn last brings it', async () => {
  const draw: Call = { prepared: { name: 'draw', text: 'draw', intent: 'read', draws: true }, values: [] }
  for (const [first, flight] of [
    [call('find', 'read'), 'shared: enter find clock'],
    [draw, 'shared: enter draw'],
  ] as const) {
    const { database, log, answerAll } = givenDatabase()
    const done = transact(database, { ...command, at: undefined }, async (tx: Tx<any>) => {
      await run(tx, first)
      return tx.now
    })
    await turn()
    answerAll()
    expect(await done).toBe('now')
    expect(log).toEqual([flight])
  }
})

describe('what a statement announces', () => {
  const change = (announces: Announcement) => [call('change', 'write'), { announces: [announces] }] as const
  /** A transaction whose commit is answered immediately, in this way. */
  async function given(action: (tx: Tx<any>) => Promise<unknown>, commit?: Error) {
    const { database, log } = givenDatabase()
    const heard: unknown[] = []
    database.announcements.subscribe((announcement, tenantId) => heard.push([announcement, tenantId]))
    database.send = async (_, calls) => {
      log.push(calls.map(({ prepared }) => prepared.text).join(' '))
      if (commit) throw commit
      return resultsOf(calls)
    }
    await transact(database, command, action).catch(() => {})
    return { heard, log }
  }

  test('is announced after the commit, each thing once, with its tenant', async () => {
    const { heard } = await given(async (tx) => {
      for (let time = 0; time < 3; time++) queue(tx, ...change('roles'))
      queue(tx, ...change({ session: 7 }))
      queue(enterTenant(tx, 2, 'to see'), ...change('roles'))
    })
    expect(heard).toEqual([
      ['roles', 1],
      [{ session: 7 }, 1],
      ['roles', 2],
    ])
  })

  test('is announced before the effects of the action, which may show that it has happened', async () => {
    const order: unknown[] = []
    const { database } = givenDatabase()
    database.send = async (_, calls) => resultsOf(calls)
    database.announcements.subscribe((announcement) => order.push(announcement))
    await transact(database, command, async (tx) => {
      tx.afterCommit('look', () => order.push('effect'))
      queue(tx, ...change({ tenant: 7 }))
    })
    expect(order).toEqual([{ tenant: 7 }, 'effect'])
  })

  test('is announced to nobody when the action fails, and announced when it is not known how the commit ended', async () => {
    const failing = await given(async (tx) => {
      queue(tx, ...change('roles'))
      throw new Error('no')
    })
    expect(failing.heard).toEqual([])
    const unknown = await given(async (tx) => queue(tx, ...change('roles')), new ConnectionLost('gone'))
    expect(unknown.heard).toEqual([['roles', 1]])
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
