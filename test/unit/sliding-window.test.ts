import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Limit, slidingWindows } from '../../src/util/sliding-window.ts'

const limit: Limit = { name: 'try', most: 3, windowMs: 1000 }

/** Windows with a clock that the test sets. */
function givenWindows(mostKeys = 100) {
  const at = { ms: 50_000 }
  const windows = slidingWindows(mostKeys, () => at.ms)
  return { at, take: (key = 'a') => windows.take(limit, key), look: (key = 'a') => windows.look(limit, key) }
}

test('a window takes what its limit says, and reports how many more and when the next', () => {
  const { at, take, look } = givenWindows()
  expect(look()).toEqual({ isOpen: true, left: 3, movesIn: 1000 })
  expect(take()).toMatchObject({ isOpen: true, left: 2, movesIn: 1000 })
  at.ms += 400
  expect(take()).toMatchObject({ isOpen: true, left: 1, movesIn: 600 })
  expect(take()).toMatchObject({ isOpen: true, left: 0 })
  expect(take()).toMatchObject({ isOpen: false, left: 0, movesIn: 600 })
  at.ms += 599
  expect(look()).toMatchObject({ isOpen: false, movesIn: 1 })
  at.ms += 1
  expect(take()).toMatchObject({ isOpen: true, left: 0, movesIn: 400 })
  expect(take()).toMatchObject({ isOpen: false })
})

test('what is refused does not count, what is given back no more', () => {
  const { take, look } = givenWindows()
  const [first] = [take(), take(), take()]
  const refused = take()
  refused.release()
  expect(look()).toMatchObject({ isOpen: false })
  first.release()
  expect(look()).toMatchObject({ isOpen: true, left: 1 })
})

test('looking takes nothing, and keys do not know of each other', () => {
  const { take, look } = givenWindows()
  for (let time = 0; time < 9; time++) look()
  for (let time = 0; time < 3; time++) take('a')
  expect(look('a').isOpen).toBe(false)
  expect(look('b')).toEqual({ isOpen: true, left: 3, movesIn: 1000 })
})

test('of more keys than may be kept, those that rested longest are forgotten', () => {
  const { take, look } = givenWindows(2)
  for (let time = 0; time < 3; time++) take('a')
  take('b')
  take('a')
  take('c')
  expect(look('b')).toMatchObject({ left: 3 })
  expect(look('a')).toMatchObject({ isOpen: false })
})

test('whenever they come, no window that slides over the times holds more than the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { maxLength: 60 }), (pauses) => {
      const { at, take } = givenWindows()
      const taken: number[] = []
      for (const pause of pauses) {
        at.ms += pause
        const room = taken.filter((time) => time > at.ms - limit.windowMs).length < limit.most
        expect(take().isOpen).toBe(room)
        if (room) taken.push(at.ms)
      }
    }),
  )
})
