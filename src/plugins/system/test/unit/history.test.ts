import { describe, expect, onTestFinished, test } from 'vitest'
import { keepHistory } from '../../history/history.ts'
import { openMemory } from '../../history/memory.ts'
import { bucketOf, quantile, type Report, readReport } from '../../history/sample.ts'

const START = Date.parse('2026-11-22T09:00:00.000Z')
const reportOf = (process: string, at: number, more: Partial<Report> = {}): Report => ({
  process,
  startedAt: START,
  samples: [{ at, values: { requests: 2, eventLoop: 0.5, memory: 100 }, latencies: [0, 4] }],
  jobs: [],
  asks: false,
  ...more,
})
const pointsOf = (memory: ReturnType<typeof openMemory>, name: string) =>
  memory.series().find((series) => series.name === name)!.points

describe('durations in buckets', () => {
  test.each([0.01, 0.25, 0.26, 1, 9.9, 10, 480, 30_000])('%d ms is found again, at most a quarter too high', (ms) => {
    const latencies: number[] = []
    latencies[bucketOf(ms)] = 1
    const found = quantile(
      Array.from(latencies, (count) => count ?? 0),
      0.5,
    )!
    expect(found).toBeGreaterThanOrEqual(ms * 0.999)
    expect(found).toBeLessThanOrEqual(Math.max(0.25, ms * 1.26))
  })
})

describe('the last hour of all processes', () => {
  test('rates and memory are summed, and the busiest loop counts', () => {
    let now = START + 10_000
    const memory = openMemory(() => now)
    memory.hear(reportOf('one', now))
    memory.hear(
      reportOf('two', now, { samples: [{ at: now, values: { requests: 3, eventLoop: 0.9 }, latencies: [] }] }),
    )
    now += 2000
    const at = new Date(START + 10_000).toISOString()
    expect(pointsOf(memory, 'requests')).toEqual([[at, 5]])
    expect(pointsOf(memory, 'eventLoop')).toEqual([[at, 0.9]])
    expect(pointsOf(memory, 'memory')).toEqual([[at, 100]])
    expect(pointsOf(memory, 'p99')).toHaveLength(1)
    expect(pointsOf(memory, 'mail')).toEqual([])
  })

  test('what is older than an hour is forgotten, and nothing lies in the future', () => {
    let now = START
    const memory = openMemory(() => now)
    for (let minute = 0; minute < 90; minute++, now += 60_000) memory.hear(reportOf('one', now))
    expect(pointsOf(memory, 'requests').length).toBeLessThanOrEqual(60)
    memory.hear(reportOf('two', now + 3600_000))
    now += 2000
    expect(pointsOf(memory, 'requests').every(([at]) => Date.parse(at) <= now)).toBe(true)
  })

  test('a job that several processes run is shown once, with its last run', () => {
    const job = { name: 'mail', lastDurationMs: 3, nextRunAt: null } as const
    let now = START
    const memory = openMemory(() => now)
    const early = { ...job, lastRunAt: '2026-11-22T08:00:00.000Z', lastResult: 'failed' } as const
    const late = { ...early, lastRunAt: '2026-11-22T08:30:00.000Z', lastResult: 'ok' } as const
    memory.hear(reportOf('one', now, { jobs: [late] }))
    memory.hear(reportOf('two', now, { jobs: [{ ...early, nextRunAt: '2026-11-22T09:00:30.000Z' }] }))
    expect(memory.jobs()).toEqual([{ ...late, nextRunAt: '2026-11-22T09:00:30.000Z' }])
    // Neither was heard of again.
    now += 60_000
    expect(memory.jobs()).toEqual([])
  })
})

describe('processes that start together', () => {
  test('ask each other for their hour, and an answer asks nobody', async () => {
    const waiting: { from: number; text: string }[] = []
    const receivers: ((text: string) => void)[] = []
    for (const from of [0, 1, 2]) {
      const { app, run } = processOf((receive) => {
        receivers[from] = receive
        return { send: (text) => void waiting.push({ from, text }), close: () => {} }
      })
      onTestFinished(() => run('onClose'))
      keepHistory(app)
      await run('onReady')
    }
    let sent = 0
    for (; waiting.length > 0 && sent < 100; sent++) {
      const { from, text } = waiting.shift()!
      for (const [to, receive] of receivers.entries()) if (to !== from) receive(text)
    }
    expect(sent, 'three questions, each with an answer of the two others').toBe(9)
  })

  function processOf(openChannel: (receive: (text: string) => void) => { send(text: string): void; close(): void }) {
    const hooks: [name: string, run: () => Promise<void>][] = []
    const app = {
      database: { jobs: { list: () => [] } },
      lifetime: { atEnd: () => {} },
      coordination: { openChannel: (_: string, receive: (text: string) => void) => openChannel(receive) },
      addHook: (name: string, run: () => Promise<void>) => void hooks.push([name, run]),
    }
    const run = async (name: string) => {
      for (const [of, hook] of hooks) if (of === name) await hook()
    }
    return { app: app as never, run }
  }
})

test.each([
  ['no object', 'hello'],
  ['a process without a name', { ...reportOf('one', START), process: 7 }],
  ['a negative value', reportOf('one', START, { samples: [{ at: START, values: { requests: -1 }, latencies: [] }] })],
  [
    'more samples than an hour has',
    reportOf('one', START, { samples: Array(400).fill(reportOf('one', START).samples[0]) }),
  ],
])('a message that is %s is not heard', (_, message) => {
  expect(readReport(JSON.stringify(message))).toBeUndefined()
  expect(readReport(JSON.stringify(reportOf('one', START)))).toEqual(reportOf('one', START))
})
