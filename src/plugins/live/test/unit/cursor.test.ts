import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cursorBehind, isSettled, noteTold, takeNew } from '../../cursor.ts'

/** A look at these ids, while transactions from `oldest` to `next` may be under way. */
const look = (ids: number[], oldest: number, next: number) => ids.map((id) => ({ id, oldest, next }))
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

describe('a listener', () => {
  test('gets each once', () => {
    const cursor = cursorBehind([], 10)
    expect(idsOf(takeNew(cursor, look([4, 7], 100, 100)))).toEqual([4, 7])
    expect(takeNew(cursor, look([4, 7], 100, 100))).toEqual([])
    expect(idsOf(takeNew(cursor, look([9], 101, 101)))).toEqual([9])
  })

  test('may go on from the last id immediately, if nothing else was in progress', () => {
    const cursor = cursorBehind([], 10)
    takeNew(cursor, look([4, 7], 100, 100))
    expect(cursor).toMatchObject({ floor: 7 })
    expect(isSettled(cursor)).toBe(true)
  })

  test('gets a lower id that becomes visible after a higher one', () => {
    const cursor = cursorBehind([], 10)
    expect(idsOf(takeNew(cursor, look([13], 100, 102)))).toEqual([13])
    expect(cursor.floor).toBe(0)
    expect(idsOf(takeNew(cursor, look([10, 13], 101, 103)))).toEqual([10])
    expect(cursor.floor).toBe(0)
    expect(takeNew(cursor, look([10, 13], 102, 103))).toEqual([])
    expect(cursor).toMatchObject({ floor: 13 })
    expect(isSettled(cursor)).toBe(true)
  })

  test('goes on from the last id as soon as another server answers, whose transactions have lower numbers', () => {
    const cursor = cursorBehind([], 10)
    takeNew(cursor, look([13], 1000, 1002))
    expect(takeNew(cursor, look([13], 7, 8))).toEqual([])
    expect(cursor).toMatchObject({ floor: 13 })
    expect(idsOf(takeNew(cursor, look([14], 7, 9)))).toEqual([14])
    expect(cursor).toMatchObject({ floor: 13 })
  })

  test('a new listener knows what is there, and gets what was overtaken', () => {
    const cursor = cursorBehind(look([13, 9], 100, 102), 10)
    expect(idsOf(takeNew(cursor, look([9, 10, 13], 102, 102)))).toEqual([10])
  })

  test('what arrived between two statements is not sent again', () => {
    const cursor = cursorBehind(look([13, 9], 102, 102), 10)
    noteTold(cursor, [{ id: 13 }, { id: 14 }])
    expect(isSettled(cursor)).toBe(false)
    expect(takeNew(cursor, look([14], 103, 103))).toEqual([])
    expect(cursor.floor).toBe(14)
  })

  test('with more than is looked back at begins above the oldest of it', () => {
    const cursor = cursorBehind(look([13, 12, 11], 100, 101), 3)
    expect(cursor.floor).toBe(11)
    expect(idsOf(takeNew(cursor, look([12, 13, 14], 101, 101)))).toEqual([14])
  })
})

/**
 * Transactions begin, draw an id, and end in any order; looks happen at any time; the tenant moves, once its transactions
 * have ended, to a server with other numbers of transactions. Whatever the order, a listener who
 * looks often enough gets each notification exactly once, and one who goes on from a floor has missed nothing below it.
 */
test('any order of transactions and looks: nothing is missed, nothing comes twice, no floor rises too early', () => {
  const act = fc.record({ does: fc.constantFrom('begin', 'draw', 'commit', 'abort', 'look', 'move'), pick: fc.nat(5) })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 120 }), (acts) => {
      const running: { xid: number; ids: number[] }[] = []
      const visible: number[] = []
      const told: number[] = []
      let [nextXid, nextId] = [100, 1]
      const cursor = cursorBehind([], 500)
      const lookNow = () => {
        const oldest = Math.min(nextXid, ...running.map(({ xid }) => xid))
        const rows = visible.filter((id) => id > cursor.floor).sort((a, b) => a - b)
        told.push(...idsOf(takeNew(cursor, look(rows, oldest, nextXid))))
        for (const { ids } of running) for (const id of ids) expect(id).toBeGreaterThan(cursor.floor)
      }
      for (const { does, pick } of acts) {
        const one = running[pick % Math.max(1, running.length)]
        if (does === 'begin') running.push({ xid: nextXid++, ids: [] })
        if (does === 'draw') one?.ids.push(nextId++)
        if (does === 'commit') visible.push(...(one?.ids ?? []))
        if ((does === 'commit' || does === 'abort') && one) running.splice(running.indexOf(one), 1)
        if (does === 'look') lookNow()
        if (does === 'move') {
          for (const { ids } of running.splice(0)) visible.push(...ids)
          nextXid = 10 ** pick
        }
      }
      for (const { ids } of running.splice(0)) visible.push(...ids)
      lookNow()
      expect([...told].sort((a, b) => a - b)).toEqual([...visible].sort((a, b) => a - b))
    }),
    { numRuns: 2000 },
  )
})
