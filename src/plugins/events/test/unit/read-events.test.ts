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
