import { expect, test } from 'vitest'
import type { Call, Intent } from '../../src/data/wire/flight.ts'
import { watchWrites } from '../../src/data/wire/write-health.ts'

const call = (intent: Intent): Call => ({ prepared: { name: intent, text: intent, intent }, values: [] })
const failure = (code: string) => Promise.reject(Object.assign(new Error('failed'), { code }))

test('a database that cannot be written is known by the changes that fail, until one succeeds', async () => {
  const writes = watchWrites()
  const run = (intent: Intent, answer: Promise<never[]>) => writes.watch([call(intent)], answer).catch(() => {})

  await run('write', failure('23505'))
  expect(writes.areFailing()).toBe(false)
  for (const code of ['53100', '58030', '25006']) {
    await run('write', failure(code))
    expect(writes.areFailing()).toBe(true)
    await run('read', Promise.resolve([]))
    expect(writes.areFailing()).toBe(true)
    await run('write', Promise.resolve([]))
    expect(writes.areFailing()).toBe(false)
  }
})
