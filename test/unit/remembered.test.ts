import { setImmediate as settled } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchChanges } from '../../src/data/changes/changes.ts'
import { remembered } from '../../src/data/changes/remembered.ts'
import { openAnnouncements } from '../../src/data/wire/announcements.ts'
import type { Database } from '../../src/data/wire/database.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1 })
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now())
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('what was loaded is remembered for as long as nobody has changed it', async () => {
  const { changes, database, memory, loads } = givenMemory()
  await changes.catchUp()
  expect(await memory.get(7)).toBe('7 as load 1')

  wait(1_200_000)
  database.tell({ id: 1, kind: 'user', subject: 8 })
  await changes.catchUp()
  expect(memory.get(7)).toBe('7 as load 1')

  wait(1000)
  database.tell({ id: 2, kind: 'user', subject: 7 })
  await changes.catchUp()
  expect(await memory.get(7)).toBe('7 as load 2')
  expect(loads).toEqual([7, 7])
})

test('what is over is let go within a minute, though nobody asks for it again', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'], now: 1 })
  const { changes, database, memory } = givenMemory()
  await changes.catchUp()
  for (const id of [7, 8]) await memory.get(id)
  database.tell({ id: 1, kind: 'user', subject: 7 })
  wait(1000)
  await changes.catchUp()

  vi.advanceTimersByTime(60_000)

  expect(memory.size).toBe(1)
  expect(memory.get(8)).toBe('8 as load 2')
  changes.close()
})

test('a change is reported once, however long an old transaction keeps it in the answer', async () => {
  const { changes, database, memory, loads } = givenMemory()
  await changes.catchUp()
  database.tell({ id: 1, kind: 'user', subject: 7 })
  for (let second = 0; second < 5; second++) {
    wait(1000)
    await changes.catchUp()
    await memory.get(7)
  }
  expect(loads).toEqual([7])
})

test('what is at hand is trusted for less than a second without a question, and asked for again before it is needed', async () => {
  const { changes, database } = givenMemory()
  await changes.catchUp()
  wait(300)
  expect(changes.catchUp()).toBeUndefined()
  expect(database.asked).toBe(1)

  wait(1)
  expect(changes.catchUp()).toBeUndefined()
  await settled()
  expect(database.asked).toBe(2)

  wait(801)
  expect(changes.catchUp()).toBeInstanceOf(Promise)
})

test('after a commit of this process nobody trusts an answer that was asked for before it', async () => {
  const { changes, database } = givenMemory()
  const answers = database.hold()
  const first = changes.catchUp()
  await settled()
  database.announcements.publish('roles', 1)
  const behind = changes.catchUp()
  expect(behind).not.toBe(first)
  await settled()

  answers[0]!()
  await first
  expect(changes.catchUp()).toBe(behind)

  answers[1]!()
  await behind
  expect(changes.catchUp()).toBeUndefined()
})

test('a load that began before a change is not shared after it', async () => {
  const { changes, database, memory, loads } = givenMemory()
  await changes.catchUp()
  const before = memory.get(7)
  expect(memory.get(7)).toBe(before)

  database.tell({ id: 1, kind: 'session', subject: 99 })
  database.announcements.publish('roles', 1)
  const answers = database.hold()
  const behind = changes.catchUp()
  await settled()
  const meanwhile = memory.get(8)
  answers[0]!()
  await behind
  expect(memory.get(8)).not.toBe(meanwhile)
  expect(loads).toEqual([7, 8, 8])
})

test('what is not there is looked for again after a moment', async () => {
  const { changes, memory, loads } = givenMemory()
  await changes.catchUp()
  expect(await memory.get(0)).toBeUndefined()
  expect(memory.get(0)).toBeUndefined()
  wait(800)
  expect(await memory.get(0)).toBeUndefined()
  expect(loads).toEqual([0, 0])
})

test('while the database is away, nothing is trusted for longer than it may be, and waiting callers get the error', async () => {
  const { changes, database } = givenMemory()
  await changes.catchUp()
  database.isAway = true
  wait(801)
  await expect(changes.catchUp()).rejects.toThrow('away')
  database.isAway = false
  await changes.catchUp()
  expect(changes.catchUp()).toBeUndefined()
})

test.each([
  ['where much time passed here too', 7_200_000],
  ['where this machine was paused, or the clock of the server set', 1000],
])('who has not asked for long by the clock of the server takes everything for changed: %s', async (_, ms) => {
  const { changes, database, memory, loads } = givenMemory()
  await changes.catchUp()
  await memory.get(7)
  wait(ms)
  database.ahead = 7_200_000 - ms
  await changes.catchUp()
  await memory.get(7)
  expect(loads).toEqual([7, 7])
})

test('on a cluster, what any node has announced counts, also if two nodes number their rows alike', async () => {
  const [one, other] = [givenServer(), givenServer()]
  const { changes, memory } = givenMemory([one, other])
  await changes.catchUp()
  await memory.get(7)
  await memory.get(8)

  one.tell({ id: 1, kind: 'user', subject: 7 })
  other.tell({ id: 1, kind: 'user', subject: 8 })
  wait(900)
  await changes.catchUp()

  expect(await memory.get(7)).toBe('7 as load 3')
  expect(await memory.get(8)).toBe('8 as load 4')
  wait(900)
  await changes.catchUp()
  expect(await memory.get(7)).toBe('7 as load 3')
})

test('while a node does not answer, nothing is trusted for longer than a second, and no one waits for it for long', async () => {
  const [silent, other] = [givenServer(), givenServer()]
  const { changes, memory } = givenMemory([silent, other])
  await changes.catchUp()
  await memory.get(7)

  const held = silent.hold()
  wait(900)
  await changes.catchUp()
  expect(held.length).toBe(1)
  expect(await memory.get(7)).toBe('7 as load 2')
  wait(900)
  await changes.catchUp()
  expect(held.length).toBe(1)
  expect(await memory.get(7)).toBe('7 as load 3')

  silent.letGo()
  await settled()
  wait(900)
  await changes.catchUp()
  expect(await memory.get(7)).toBe('7 as load 3')
})

test('while a node is away, everything is loaded again; if the first server is, no one is told', async () => {
  const node = givenServer()
  const { changes, database, memory } = givenMemory([node])
  await changes.catchUp()
  await memory.get(7)

  node.isAway = true
  wait(900)
  await changes.catchUp()
  expect(await memory.get(7)).toBe('7 as load 2')
  database.isAway = true
  wait(900)
  await expect(changes.catchUp()).rejects.toThrow('away')
})

interface Row {
  id: number
  kind: string
  subject: number
}

function wait(ms: number) {
  vi.setSystemTime(Date.now() + ms)
}

/** Remembers users; the database reports what has been changed. */
function givenMemory(nodes: ReturnType<typeof givenServer>[] = []) {
  const database = Object.assign(givenServer(), { nodes: () => nodes })
  const changes = watchChanges(database as unknown as Database)
  const loads: number[] = []
  const memory = remembered(changes, {
    most: 10,
    async load(id: number) {
      const count = loads.push(id)
      await database.answered()
      return id === 0 ? undefined : `${id} as load ${count}`
    },
    isStale: (name, since) => changes.isChanged('user', Number.parseInt(name, 10), since),
  })
  return { changes, database, memory, loads }
}

/** Reports what has been changed in its transactions. */
function givenServer() {
  const told: Row[] = []
  const held: (() => void)[] = []
  let isHolding = false
  const answered = () => new Promise<void>((done) => (isHolding ? void held.push(done) : done()))
  const database = {
    answered,
    announcements: openAnnouncements(),
    asked: 0,
    /** ms between its clock and ours */
    ahead: 0,
    isAway: false,
    entering: () => ({ prepared: { name: 'enter', text: '' }, values: [] }),
    tell: (row: Row) => void told.push(row),
    /** From now on each answer waits until it is let go. */
    hold() {
      isHolding = true
      return held
    },
    letGo() {
      isHolding = false
      for (const go of held) go()
    },
    async send() {
      database.asked++
      const place = { next: 1, at: Date.now() + database.ahead }
      const rows = told.length ? told.map((row) => ({ ...place, ...row })) : [{ ...place, id: null }]
      await answered()
      if (database.isAway) throw new Error('the database is away')
      return [{ rows: [] }, { rows }]
    },
  }
  return database
}
