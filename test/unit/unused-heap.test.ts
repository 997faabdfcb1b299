import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** A process of its own, because the heap of a test is never idle. It ends when no more than 32 MiB are unused. */
const PROGRAM = `
  import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
  import { returnUnusedHeap, unusedHeap } from './src/http/load/unused-heap.ts'
  const unused = () => Math.round(unusedHeap() / 2 ** 20)
  let held = Array.from({ length: 3e6 }, (_, at) => ({ at }))
  held = undefined
  const stop = returnUnusedHeap(50)
  // Never idle, however slow the machine is: the loop does not wait for the next turn.
  for (const start = performance.now(); performance.now() - start < 200; ) await turn()
  const busy = unused()
  while (unused() > 32) await sleep(20)
  stop()
  console.log(JSON.stringify({ busy, hasGc: 'gc' in globalThis }))
`

test('a process gives back what a burst of work left, as soon as it has nothing to do, and not before', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--max-semi-space-size=32'],
    ...['--input-type=module', '--eval', PROGRAM],
  ])
  const { busy, hasGc } = JSON.parse(stdout)
  expect(busy).toBeGreaterThan(32)
  expect(hasGc).toBe(false)
})
