import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_EVERY_MS = 10_000
/** The share of that time in which the event loop had something to do. */
const IDLE = 0.03
/** Bytes. A start leaves twice as much, and so does load. */
const WORTH = 32 * 2 ** 20

/**
 * Returns memory to the system that V8 has reserved and does not use, when the process has had nothing to do for ten
 * seconds: it collects the young generation, which takes about 10 ms. V8 makes that smaller when it collects it, but an
 * idle process does not fill it for minutes.
 * @returns ends it
 */
export function returnUnusedHeap(everyMs = LOOK_EVERY_MS): () => void {
  const collect = openCollector()
  let since = performance.eventLoopUtilization()
  const watch = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(since)
    since = performance.eventLoopUtilization()
    if (utilization < IDLE && unusedHeap() > WORTH) collect()
  }, everyMs).unref()
  return () => clearInterval(watch)
}

/** Bytes. */
export function unusedHeap(): number {
  const { total_heap_size: total, used_heap_size: used } = getHeapStatistics()
  return total - used
}

/** The flag holds only for contexts that are made while it is set, so programs of the service have no `gc`. */
function openCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return () => void collect({ type: 'minor', execution: 'sync' })
}
