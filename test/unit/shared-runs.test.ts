import { expect, test } from 'vitest'
import { sharedRuns } from '../../src/util/shared-runs.ts'

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

test('never are two runs of one key under way, and different keys do not wait for each other', async () => {
  const { begun, run } = givenWork()
  void run('a')
  void run('a')
  void run('b')
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b'])
})

test('when all is done the next run begins immediately', async () => {
  const { begun, run } = givenWork()
  const first = run('a')
  begun[0]!.end('done')
  await first
  void run('a')
  expect(begun).toHaveLength(2)
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
