import { describe, expect, test } from 'vitest'
import { answerCache } from '../../src/http/public/answer-cache.ts'
import { testConfig } from '../support/config.ts'

const here = { id: 1, contentVersion: 1 }

test('the default holds the sites of a hundred tenants: fifty articles of 3 kB each, and all that is read beside them', () => {
  const cache = answerCache<Answer>(testConfig().publicCacheBytes)
  const site: [name: string, bytes: number, howMany: number][] = [
    ['/api/v1/public/blog/{"id":50}', 3400, 50],
    ['/api/v1/public/blog/{"id":50}/comments', 200, 50],
    ['/api/v1/public/blog[{},{"page":1,"pageSize":6}]', 6 * 3400, 9],
    ['en /api/v1/public/home', 1200, 14],
  ]
  let refused = 0
  for (let id = 1; id <= 100; id++)
    for (const [name, bytes, howMany] of site)
      for (let n = 0; n < howMany; n++) {
        const one = `${name} ${n}`
        if (!cache.admits({ ...here, id }, bytes)) refused++
        cache.put({ ...here, id }, one, one, answerOf(one, bytes))
      }
  expect(refused).toBe(0)
  expect(cache.get({ ...here, id: 1 }, `${site[0]![0]} 0`)).toBeDefined()
})

describe('answers that are ready', () => {
  test('are found by their name and by every address that led to them', () => {
    const cache = answerCache<Answer>(100_000)
    const answer = answerOf('A')
    cache.put(here, 'a', '/a', answer)
    cache.put(here, 'a', '/%61', answer)
    expect([cache.get(here, 'a'), cache.at(here, '/a'), cache.at(here, '/%61')]).toEqual([answer, answer, answer])
    expect(cache.at({ ...here, id: 2 }, '/a')).toBeUndefined()
  })

  test('are let go of when nobody has asked for them longest, with all their addresses', () => {
    const room = 10 * weightOfOne()
    const cache = answerCache<Answer>(room)
    for (const name of 'abcdefghij') put(cache, here, name)
    expect(cache.at(here, '/a')?.text).toBe('a')
    put(cache, here, 'k')
    expect(cache.get(here, 'a')?.text).toBe('a')
    expect([cache.get(here, 'b'), cache.at(here, '/b')]).toEqual([undefined, undefined])
    expect(cache.bytes).toBeLessThanOrEqual(room)
  })

  test('are counted once, whatever number of addresses leads to them', () => {
    const cache = answerCache<Answer>(1_000_000)
    const answer = answerOf('A', 50_000)
    cache.put(here, 'a', '/a', answer)
    const before = cache.bytes
    for (let n = 0; n < 100; n++) cache.put(here, 'a', `/a?${n}`, answer)
    expect(cache.bytes - before).toBeLessThan(1_000)
    expect(cache.get(here, 'a')).toBe(answer)
  })

  test('of an older version go with the first of a newer one, and do not come back', () => {
    const cache = answerCache<Answer>(1_000_000)
    for (const name of 'abc') put(cache, here, name)
    const one = cache.bytes / 3
    put(cache, { ...here, id: 2 }, 'a')
    const later = { ...here, contentVersion: 2 }
    expect(cache.get(later, 'a')).toBeUndefined()
    put(cache, later, 'a')
    put(cache, here, 'b')
    expect([cache.get(here, 'a'), cache.get(here, 'b'), cache.at(here, '/c')]).toEqual(Array(3).fill(undefined))
    expect(cache.get(later, 'a')?.text).toBe('a')
    expect(cache.bytes).toBe(2 * one)
  })

  test('stay where more is asked for in turns than there is room for', () => {
    const cache = answerCache<Answer>(50 * weightOfOne())
    const names = Array.from({ length: 100 }, (_, n) => `page ${n}`)
    let found = 0
    for (let round = 0; round < 10; round++)
      for (const name of names)
        if (cache.get(here, name)) found++
        else if (cache.admits(here, 1)) put(cache, here, name)
    expect(found).toBeGreaterThan(350)
  })

  test('that are asked for often get in although there is no room', () => {
    const cache = answerCache<Answer>(50 * weightOfOne())
    const ask = (name: string) => {
      if (cache.get(here, name)) return true
      if (cache.admits(here, 1)) put(cache, here, name)
      return false
    }
    for (let n = 0; n < 50; n++) ask(`old ${n}`)
    const asked = Array.from({ length: 500 }, (_, n) => [ask('new'), ask(`once ${n}`)][0])
    expect(asked.filter(Boolean).length).toBeGreaterThan(300)
  })

  test('of a newer version are always kept', () => {
    const cache = answerCache<Answer>(10 * weightOfOne())
    for (const name of 'abcdefghij') put(cache, here, name)
    expect([cache.admits(here, 5000), cache.admits({ ...here, contentVersion: 2 }, 5000)]).toEqual([false, true])
  })

  test('of one tenant are dropped together', () => {
    const cache = answerCache<Answer>(1_000_000)
    for (const id of [1, 2]) for (const name of 'abc') put(cache, { id, contentVersion: 1 }, name)
    const all = cache.bytes
    cache.drop(1)
    cache.drop(3)
    expect(cache.bytes).toBe(all / 2)
    expect([cache.at(here, '/a'), cache.at({ ...here, id: 2 }, '/a')?.text]).toEqual([undefined, 'a'])
  })

  test('never take an eighth of the memory each, and one that has grown so large is forgotten', () => {
    const none = answerCache<Answer>(0)
    put(none, here, 'a', 0)
    expect([none.get(here, 'a'), none.bytes]).toEqual([undefined, 0])
    const cache = answerCache<Answer>(80_000)
    put(cache, here, 'a', 100)
    put(cache, here, 'a', 10_001)
    expect([cache.get(here, 'a'), cache.at(here, '/a'), cache.bytes]).toEqual([undefined, undefined, 0])
  })

  test('stay within their bytes whatever comes', () => {
    const cache = answerCache<Answer>(60_000)
    let most = 0
    for (let n = 0; n < 5000; n++) {
      const origin = { id: n % 7, contentVersion: Math.floor(n / 500) }
      put(cache, origin, `name ${(n * 7919) % 97}`, (n * 104_729) % 8000)
      most = Math.max(most, cache.bytes)
    }
    expect(most).toBeGreaterThan(30_000)
    expect(most).toBeLessThanOrEqual(60_000)
    for (let id = 0; id < 7; id++) cache.drop(id)
    expect(cache.bytes).toBe(0)
  })
})

interface Answer {
  text: string
  bytes: Buffer
}

function answerOf(text: string, size = 10): Answer {
  return { text, bytes: Buffer.alloc(size) }
}

function put(cache: ReturnType<typeof answerCache<Answer>>, origin: typeof here, name: string, size = 10) {
  cache.put(origin, name, `/${name}`, answerOf(name, size))
}

function weightOfOne(): number {
  const cache = answerCache<Answer>(1_000_000)
  put(cache, here, 'a')
  return cache.bytes
}
