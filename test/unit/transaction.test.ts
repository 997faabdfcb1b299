import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Database } from '../../src/data/wire/database.ts'
import type { Call, Landing } from '../../src/data/wire/connection.ts'
import { ask, type Tx } from '../../src/data/tx/scope.ts'
import { transact } from '../../src/data/tx/transact.ts'

const call = (name: string, changes = false): Call => ({ prepared: { name, text: name, changes }, values: [] })
const landingsOf = (calls: readonly Call[]): Landing[] => calls.map(() => ({ rows: [{ now: 'now' }], affected: 1 }))

/** A database whose shared lines answer when they are told to, and which remembers what left on which line. */
function givenDatabase() {
  const log: string[] = []
  const onTheWay: (() => void)[] = []
  const names = (calls: readonly Call[]) => calls.map(({ prepared }) => prepared.name).join(' ')
  const database = {
    entering: () => call('enter'),
    fly(calls: readonly Call[]) {
      log.push(`shared: ${names(calls)}`)
      return new Promise<Landing[]>((resolve) => onTheWay.push(() => resolve(landingsOf(calls))))
    },
    async hold() {
      log.push('hold')
      const fly = async (calls: readonly Call[]) => {
        log.push(`held: ${names(calls)}`)
        return landingsOf(calls)
      }
      return { line: { fly }, release: () => log.push('release') }
    },
    log: {},
  } as unknown as Database
  const land = () => {
    for (const landed of onTheWay.splice(0)) landed()
  }
  return { database, log, land }
}

const command = { tenantId: 1, actor: { kind: 'system' } as const, requestId: 'r', at: '2026-01-01T00:00:00.000Z' }

test('a line is held only when nothing of the same transaction is on its way on a shared one', async () => {
  const { database, log, land } = givenDatabase()
  const done = transact(database, command, async (tx: Tx<any>) => {
    const read = ask(tx, call('read'), undefined)
    await turn()
    const lock = ask(tx, call('lock', true), undefined)
    await Promise.all([read, lock])
  })
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(log).toEqual(['shared: enter read'])

  land()
  await done
  expect(log).toEqual(['shared: enter read', 'hold', 'held: begin enter lock', 'held: commit', 'release'])
})
