import { describe, expect, test } from 'vitest'
import { byteBoundedCache } from '../../src/util/byte-bounded-cache.ts'

describe('a shelf', () => {
  test('keeps what fits, and lets go of the oldest that nobody has asked for', () => {
    const shelf = byteBoundedCache<string>(8000)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) shelf.put(name, name.toUpperCase(), 500)
    expect(shelf.get('a')).toBe('A')
    shelf.put('k', 'K', 500)
    expect([shelf.get('a'), shelf.get('b'), shelf.get('k')]).toEqual(['A', undefined, 'K'])
    for (const name of ['c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k']) expect(shelf.get(name)).toBe(name.toUpperCase())
    shelf.put('l', 'L', 500)
    expect([shelf.get('c'), shelf.get('l')]).toEqual([undefined, 'L'])
    expect(shelf.bytes).toBeLessThanOrEqual(8000)
  })

  test('holds one thing under one name', () => {
    const shelf = byteBoundedCache<number>(8000)
    shelf.put('a', 1, 100)
    const before = shelf.bytes
    shelf.put('a', 2, 100)
    expect([shelf.get('a'), shelf.bytes]).toEqual([2, before])
  })

  test('never gives an eighth of itself to one thing, and forgets the one that has grown so large', () => {
    const shelf = byteBoundedCache<number>(8000)
    shelf.put('a', 1, 100)
    shelf.put('a', 2, 1001)
    expect([shelf.get('a'), shelf.bytes]).toEqual([undefined, 0])
  })

  test('of no bytes keeps nothing', () => {
    const shelf = byteBoundedCache<number>(0)
    shelf.put('a', 1, 0)
    expect([shelf.get('a'), shelf.bytes]).toEqual([undefined, 0])
  })

  test('stays within its bytes whatever comes', () => {
    const shelf = byteBoundedCache<number>(20_000)
    for (let n = 0; n < 5000; n++) {
      shelf.put(`name ${(n * 7919) % 97}`, n, (n * 104_729) % 2600)
      expect(shelf.bytes).toBeLessThanOrEqual(20_000)
    }
  })
})
