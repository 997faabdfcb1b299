import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openScope } from '../../../../data/tx/open-scope.ts'
import type { Database } from '../../../../data/wire/database.ts'
import { readEvents } from '../../read.ts'

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
beforeEach(() => void process.on('unhandledRejection', note))
afterEach(() => void process.off('unhandledRejection', note))

test('a database that goes away fails the read, and leaves nothing behind that would end the process', async () => {
  const database = { entering: () => ({}), send: () => Promise.reject(new Error('it broke')) }
  const scope = openScope(database as unknown as Database, 1)

  await expect(readEvents(database as unknown as Database, scope, { after: 0, most: 20 })).rejects.toThrow('it broke')

  await turn()
  expect(unhandled).toEqual([])
})

test('nothing is read before the look for events without ids is answered: what is numbered between would be missed', async () => {
  let asked = 0
  const looked = Promise.withResolvers<void>()
  const database = {
    entering: () => ({}),
    async send(_: number, calls: object[]) {
      if (++asked === 1) await looked.promise
      return calls.map(() => ({ rows: [], affected: 0 }))
    },
  }
  const scope = openScope(database as unknown as Database, 1)

  const read = readEvents(database as unknown as Database, scope, { after: 0, most: 20 })
  await turn()
  expect(asked).toBe(1)
  looked.resolve()
  await read

  expect(asked).toBe(2)
})
