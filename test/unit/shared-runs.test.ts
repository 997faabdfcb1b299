import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batches, sharedRuns } from '../../src/util/shared-runs.ts'

/** Work that ends on demand. */
function givenWork() {
  const begun: { key: string; end: (result: string) => void; fail: (error: Error) => void }[] = []
  const run = sharedRuns((key: string) => new Promise<string>((end, fail) => void begun.push({ key, end, fail })))
  return { begun, run }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('who comes while a run is under way shares the next one with all others who came', async () => {
  const { begun, run } = givenWork()
  const first = run('a')
  const others = [run('a'), run('a'), run('a')]
  expect(begun).toHaveLength(1)

  begun[0]!.end('early')
  expect(await first).toBe('early')
  await settled()
  expect(begun).toHaveLength(2)
  const late = run('a')
  begun[1]!.end('shared')
  expect(await Promise.all(others)).toEqual(['shared', 'shared', 'shared'])

  await settled()
  begun[2]!.end('late')
  expect(await late).toBe('late')
})

test('a run that fails does so for its own, and the next one begins anyway', async () => {
  const { begun, run } = givenWork()
  const first = run('a')
  const next = run('a')
  begun[0]!.fail(new Error('a broken line'))
  await expect(first).rejects.toThrow('a broken line')
  await settled()
  begun[1]!.end('fine')
  expect(await next).toBe('fine')
})

/** Work that a test ends by hand. */
function givenBatches() {
  const runs: { items: readonly string[]; end: (result: string) => void; fail: (error: Error) => void }[] = []
  const hand = batches<string, string, string>(1, (_, items) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    runs.push({ items, end: resolve, fail: reject })
    return promise
  })
  const begun = async (count: number) => {
    while (runs.length < count) await sleep(1)
    return runs[count - 1]!
  }
  return { hand, begun, runs }
}

test('those that come together are done together, and each knows how', async () => {
  const { hand, begun } = givenBatches()
  const both = Promise.all([hand('tenant', 'a'), hand('tenant', 'b')])
  const run = await begun(1)
  expect(run.items).toEqual(['a', 'b'])
  run.end('done')
  expect(await both).toEqual(['done', 'done'])
})

test('one that comes during a batch belongs to the next, which begins after it, and fails with its own', async () => {
  const { hand, begun, runs } = givenBatches()
  const first = hand('tenant', 'a')
  const one = await begun(1)
  const later = Promise.all([hand('tenant', 'b'), hand('tenant', 'c')])
  const elsewhere = hand('another', 'd')
  expect((await begun(2)).items).toEqual(['d'])
  runs[1]!.end('apart')
  expect(await elsewhere).toBe('apart')
  expect(runs).toHaveLength(2)

  one.fail(new Error('the database is away'))
  await expect(first).rejects.toThrow('the database is away')
  const other = await begun(3)
  expect(other.items).toEqual(['b', 'c'])
  other.end('done')
  expect(await later).toEqual(['done', 'done'])
})

test('what was in a batch that failed is handed over again with what has come since', async () => {
  const { hand, begun } = givenBatches()
  const all = [hand('tenant', 'a'), hand('tenant', 'b')]
  ;(await begun(1)).fail(new Error('the database is away'))
  for (const each of all) await expect(each).rejects.toThrow('away')
  const again = Promise.all([hand('tenant', 'a'), hand('tenant', 'b')])
  const run = await begun(2)
  expect(run.items).toEqual(['a', 'b'])
  run.end('done')
  expect(await again).toEqual(['done', 'done'])
})
