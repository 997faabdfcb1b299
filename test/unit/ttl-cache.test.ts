import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ttlCache } from '../../src/util/ttl-cache.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: 1 })
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now())
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('what was loaded is remembered for its time and no longer', async () => {
  const { memory, loads } = givenMemory()
  expect(await memory.get('a')).toBe('a1')

  vi.advanceTimersByTime(799)
  expect(await memory.get('a')).toBe('a1')

  vi.advanceTimersByTime(2)
  expect(await memory.get('a')).toBe('a2')
  expect(loads).toEqual(['a', 'a'])
})

test('the time counts from the start of the load, so that what changed during a slow one is never remembered longer', async () => {
  const { memory } = givenMemory({ slow: 500 })
  const first = memory.get('a')
  await vi.advanceTimersByTimeAsync(500)
  expect(await first).toBe('a1')

  vi.advanceTimersByTime(301)

  const second = memory.get('a')
  await vi.advanceTimersByTimeAsync(500)
  expect(await second).toBe('a2')
})

test('what is at hand comes without a promise', async () => {
  const { memory } = givenMemory()
  expect(memory.get('a')).toBeInstanceOf(Promise)
  await memory.get('a')
  expect(memory.get('a')).toBe('a1')
})

test('callers that come together share one load', async () => {
  const { memory, loads } = givenMemory({ slow: 10 })
  const both = Promise.all([memory.get('a'), memory.get('a')])
  await vi.advanceTimersByTimeAsync(10)
  expect(await both).toEqual(['a1', 'a1'])
  expect(loads).toEqual(['a'])
})

test('a failure is not remembered', async () => {
  let away = true
  const memory = ttlCache(800, 10, async (key: string, _: undefined) => {
    if (away) throw new Error('away')
    return key
  })
  await expect(memory.get('a', undefined)).rejects.toThrow('away')
  away = false
  expect(await memory.get('a', undefined)).toBe('a')
})

test('what was forgotten is loaded anew', async () => {
  const { memory } = givenMemory()
  await memory.get('a')
  memory.forget('a')
  expect(await memory.get('a')).toBe('a2')
  memory.clear()
  expect(await memory.get('a')).toBe('a3')
})

test('a load that was under way when its key was forgotten does not come back', async () => {
  const { memory } = givenMemory({ slow: 10 })
  const stale = memory.get('a')
  memory.forget('a')
  const fresh = memory.get('a')
  await vi.advanceTimersByTimeAsync(10)
  expect(await stale).toBe('a1')
  expect(await fresh).toBe('a2')
  expect(memory.get('a')).toBe('a2')
})

test('it never holds more than it may: the oldest goes', async () => {
  const { memory, loads } = givenMemory({ most: 2 })
  for (const key of ['a', 'b', 'c', 'b', 'c']) await memory.get(key)
  expect(loads).toEqual(['a', 'b', 'c'])
  await memory.get('a')
  expect(loads).toEqual(['a', 'b', 'c', 'a'])
})

/** A memory of 800 ms whose loads are counted: key `a` loads as `a1`, `a2`, … */
function givenMemory({ slow = 0, most = 10 } = {}) {
  const loads: string[] = []
  const memory = ttlCache(800, most, async (key: string, _: undefined) => {
    const value = `${key}${loads.push(key)}`
    if (slow) await new Promise((resolve) => setTimeout(resolve, slow))
    return value
  })
  return { loads, memory: { ...memory, get: (key: string) => memory.get(key, undefined) } }
}
