import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { withinBounds } from '../../src/util/within-bounds.ts'
import { until } from '../support/patience.ts'

test('a costly answer is remembered, and asked for once by all who come together', async () => {
  const ask = vi.fn(async () => 7)
  const bounded = withinBounds(ask, 3_600_000)

  expect(await Promise.all([bounded(), bounded(), bounded()])).toEqual([7, 7, 7])
  expect(await bounded()).toBe(7)
  expect(ask).toHaveBeenCalledTimes(1)
})

test('it is asked for again when it is old', async () => {
  let value = 0
  const bounded = withinBounds(async () => ++value, 0)

  expect(await bounded()).toBe(1)
  await until(async () => expect(await bounded()).toBeGreaterThan(1))
})

test('an answer that does not come is not waited for, and not asked for twice', async () => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const ask = vi.fn(() => promise)
  const bounded = withinBounds(ask, 3_600_000, 20)

  expect(await bounded()).toBeUndefined()
  expect(await bounded()).toBeUndefined()
  expect(ask).toHaveBeenCalledTimes(1)
  resolve(7)
  await sleep(0)
  expect(await bounded()).toBe(7)
})

test('a failure is no answer, and is not remembered', async () => {
  let attempts = 0
  const bounded = withinBounds(async () => {
    if (++attempts === 1) throw new Error('away')
    return attempts
  })

  expect(await bounded()).toBeUndefined()
  expect(await bounded()).toBe(2)
})
