import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openHub } from '../../appliance/workers/hub.ts'
import { readinessOf } from '../../appliance/workers/ready.ts'
import { shareOut, sumOf } from '../../appliance/workers/shares.ts'
import { becomeReady, type Watched, watchForSilence } from '../../appliance/workers/silence.ts'
import { openTalk, type Talk } from '../../appliance/workers/talk.ts'
import { coordinateThrough } from '../../appliance/workers/through-primary.ts'
import { testConfig } from '../support/config.ts'

/** Workers and their primary in one process, every message copied as between processes. */
function givenWorkers(count: number) {
  const primarySide: Talk[] = []
  const hub = openHub(
    (from, said) => {
      for (const [at, talk] of primarySide.entries()) if (at !== from) talk.tell('hear', said)
    },
    (worker, stream) => primarySide[worker]!.tell('end stream', stream),
  )
  return Array.from({ length: count }, (_, at) => {
    const talk = openTalk((message) => queueMicrotask(() => primarySide[at]!.receive(structuredClone(message))), {
      hear: (said) => worker.hear(said),
    })
    primarySide.push(
      openTalk((message) => queueMicrotask(() => talk.receive(structuredClone(message))), hub.answersFor(at)),
    )
    const worker = coordinateThrough(talk)
    return worker
  })
}

const limit = { name: 'try', most: 3, windowMs: 60_000 }

test('a limit is one for all workers, and what is given back through one is there for the other', async () => {
  const [one, other] = givenWorkers(2)
  await one!.quotas.take(limit, 'a')
  const last = await one!.quotas.take(limit, 'a')
  expect(await other!.quotas.take(limit, 'a')).toMatchObject({ isOpen: true, left: 0 })
  expect(await other!.quotas.take(limit, 'a')).toMatchObject({ isOpen: false })
  expect(await other!.quotas.take(limit, 'b')).toMatchObject({ isOpen: true, left: 2 })

  last!.release()

  expect(await other!.quotas.look(limit, 'a')).toMatchObject({ isOpen: true, left: 1 })
})

test('a primary that does not answer is gone on without', async () => {
  const alone = coordinateThrough(openTalk(() => {}, {}))
  expect(await alone.quotas.take(limit, 'a')).toBeUndefined()
})

/** The defaults, of which tests on a cluster take less. */
const LINES = { DATABASE_LINES: '4', DATABASE_WRITE_LINES: '8', DATABASE_HELD_LINES: '16' }

test.each([
  [1, 100, 30],
  [2, 97, 30],
  [4, 97, 21],
  [8, 97, 10],
  [16, 97, 5],
  [4, 500, 30],
])('%i workers of a database that lets us open %i connections have %i each', (workers, most, each) => {
  const shares = shareOut(testConfig({ ...LINES, WORKERS: String(workers) }), most)
  expect(sumOf(shares.connections)).toBe(each)
  if (workers > 1) expect(workers * each).toBeLessThan(most)
  expect(Math.min(...Object.values<number>({ ...shares.connections }))).toBeGreaterThan(0)
})

test('workers that share few connections have one of each kind, however uneven the configured ones are', () => {
  const { connections } = shareOut(testConfig({ ...LINES, DATABASE_LINES: '40', WORKERS: '4' }), 20)
  expect(connections).toEqual({
    readConnections: 1,
    writeConnections: 1,
    searchConnections: 1,
    transactionConnections: 1,
  })
})

test('auto is a worker for each core, as far as there are connections; a number that does not fit is refused', () => {
  expect(shareOut(testConfig({ WORKERS: 'auto' }), 97, 4).workers).toBe(4)
  const many = shareOut(testConfig({ WORKERS: 'auto' }), 97, 64)
  expect(many.workers * sumOf(many.connections)).toBeLessThan(97)
  expect(() => shareOut(testConfig({ WORKERS: '64' }), 97)).toThrow(/WORKERS: .* room for 21/)
})

test('the service is as ready as the least ready of its workers', () => {
  const ok = { status: 'ok', checks: { database: { status: 'ok', ms: 1 } } } as const
  const bad = { status: 'unavailable', checks: { database: { status: 'away', ms: 1 } } } as const
  expect(readinessOf([ok, ok], false)).toMatchObject({ status: 'ok', checks: { workers: { status: 'ok' } } })
  expect(readinessOf([ok, undefined], false)).toMatchObject({
    status: 'degraded',
    checks: { workers: { status: 'away' } },
  })
  expect(readinessOf([ok, bad], false)).toMatchObject({ status: 'unavailable', checks: bad.checks })
  expect(readinessOf([undefined], false)).toMatchObject({ status: 'unavailable' })
  expect(readinessOf([ok], true)).toEqual({ status: 'stopping', checks: {} })
})

describe('the watch over workers', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  const member = ({ answers = false, isReady = true }): Watched => ({
    talk: { ask: async () => (answers ? true : undefined), tell() {}, receive() {} } as unknown as Talk,
    heardAt: performance.now(),
    isReady,
  })
  /** @returns those that were noticed, as they are */
  function watch(...members: Watched[]) {
    const noticed: Watched[] = []
    const stop = watchForSilence(
      () => members,
      (one) => noticed.push(one),
    )
    onTestFinished(stop)
    return noticed
  }

  test('a worker that does not answer is noticed once, and neither one that does nor one that starts', async () => {
    const [answering, hanging, starting] = [member({ answers: true }), member({}), member({ isReady: false })]
    const noticed = watch(answering, hanging, starting)

    await vi.advanceTimersByTimeAsync(9000)
    expect(noticed).toEqual([])
    await vi.advanceTimersByTimeAsync(40_000)
    expect(noticed).toEqual([hanging])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(noticed).toEqual([hanging, starting])
  })

  test('how long a start takes is no silence, neither before the watch nor during it', async () => {
    const late = member({ isReady: false })
    const ready = [member({ answers: true }), member({ answers: true })]
    await vi.advanceTimersByTimeAsync(13_000)
    const noticed = watch(...ready, late)
    await vi.advanceTimersByTimeAsync(13_000)
    becomeReady(late)
    await vi.advanceTimersByTimeAsync(9000)
    expect(noticed).toEqual([])
  })

  test('the last worker that listens is left alone until another one does', async () => {
    const [one, other, next] = [member({}), member({}), member({ answers: true, isReady: false })]
    const noticed = watch(one, other, next)
    await vi.advanceTimersByTimeAsync(40_000)
    expect(noticed).toEqual([one])
    becomeReady(next)
    await vi.advanceTimersByTimeAsync(1000)
    expect(noticed).toEqual([one, other])
  })

  test('a pause of the primary itself is nobody’s silence', async () => {
    const noticed = watch(member({ answers: true }), member({}))
    await vi.advanceTimersByTimeAsync(5000)
    const now = performance.now()
    vi.spyOn(performance, 'now').mockImplementationOnce(() => now + 60_000)
    await vi.advanceTimersByTimeAsync(1000)
    expect(noticed).toEqual([])
  })
})
