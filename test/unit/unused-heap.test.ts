import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** A process of its own, because the heap of a test is never idle. It prints in MiB what is unused after each step. */
const PROGRAM = `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { returnUnusedHeap, unusedHeap } from './src/http/load/unused-heap.ts'
  const unused = () => Math.round(unusedHeap() / 2 ** 20)
  let held = Array.from({ length: 3e6 }, (_, at) => ({ at }))
  held = undefined
  const stop = returnUnusedHeap(100)
  const steps = []
  for (let turn = 0; turn < 5; turn++) {
    await sleep(20)
    for (const end = performance.now() + 80; performance.now() < end; );
    steps.push(unused())
  }
  const busy = steps.at(-1)
  for (let turn = 0; turn < 50 && unused() > 32; turn++) await sleep(100)
  const idle = unused()
  stop()
  console.log(JSON.stringify({ busy, idle, hasGc: 'gc' in globalThis }))
`

test('a process gives back what a burst of work left, as soon as it has nothing to do, and not before', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--max-semi-space-size=32'],
    ...['--input-type=module', '--eval', PROGRAM],
  ])
  const { busy, idle, hasGc } = JSON.parse(stdout)
  expect(busy).toBeGreaterThan(32)
  expect(idle).toBeLessThanOrEqual(32)
  expect(hasGc).toBe(false)
}, 30_000)
