import { expect, test } from 'vitest'
import type { Call, Intent } from '../../src/data/wire/flight.ts'
import { watchWrites } from '../../src/data/wire/write-health.ts'

const call = (intent: Intent): Call => ({ prepared: { name: intent, text: intent, intent }, values: [] })
const failure = (code: string) => Promise.reject(Object.assign(new Error('failed'), { code }))

test('a database that cannot be written is known by the changes that fail, until one succeeds after five calm seconds', async () => {
  let now = 0
  const writes = watchWrites(() => now)
  const run = (intent: Intent, answer: Promise<never[]>) => writes.watch([call(intent)], answer).catch(() => {})

  await run('write', failure('23505'))
  expect(writes.areFailing()).toBe(false)
  for (const code of ['53100', '58030']) {
    await run('write', failure(code))
    expect(writes.areFailing()).toBe(true)
    now += 5000
    await run('read', Promise.resolve([]))
    expect(writes.areFailing()).toBe(true)
    await run('write', Promise.resolve([]))
    expect(writes.areFailing()).toBe(false)
  }
})

test('one change that succeeds between others that fail does not hide them', async () => {
  let now = 0
  const writes = watchWrites(() => now)
  const change = (answer: Promise<never[]>) => writes.watch([call('write')], answer).catch(() => {})

  for (let round = 0; round < 10; round++) {
    await change(failure('53100'))
    now += 1000
    await change(Promise.resolve([]))
    expect(writes.areFailing()).toBe(true)
  }
  now += 4000
  await change(Promise.resolve([]))
  expect(writes.areFailing()).toBe(false)
})
