import { LRUCache } from 'lru-cache'
import type { Changes } from './changes.ts'

export interface Remembering<Key, Value, Hint> {
  /** of those that were asked for last */
  most: number
  load(key: Key, hint: Hint): Promise<Value>
  /** Whether what was loaded at a moment has been changed since, or is over. */
  isStale(value: Value & {}, since: number): boolean
}

/** What is not there is remembered for so long, as nothing tells when it comes to be. */
const ABSENT_MS = 800

interface Entry<Value> {
  value: Value | Promise<Value>
  since: number
  /** on the monotonic clock, of what is not there */
  until: number
}

/**
 * Remembers what was loaded until it is changed, by whomever. Callers that come together share one load, as long as
 * nothing at all has been changed since it began; failures are forgotten.
 */
export function remembered<Key extends number | string, Value, Hint = void>(
  changes: Changes,
  { most, load, isStale }: Remembering<Key, Value, Hint>,
) {
  // By size: with `max` the cache takes all its memory, and the time for it, before anything is in it.
  const entries = new LRUCache<Key, Entry<Value>>({ maxSize: most, sizeCalculation: () => 1 })

  function begin(key: Key, hint: Hint): Promise<Value> {
    const [since, absentUntil] = [changes.now(), performance.now() + ABSENT_MS]
    const value = load(key, hint)
    const entry: Entry<Value> = { value, since, until: Number.POSITIVE_INFINITY }
    entries.set(key, entry)
    value.then(
      (loaded) => {
        entry.value = loaded
        if (loaded === undefined) entry.until = absentUntil
      },
      () => {
        if (entries.peek(key) === entry) entries.delete(key)
      },
    )
    return value
  }

  // Entries of sessions that ended would stay until so many newer ones have come.
  changes.everyMinute(
    () => entries.keys(),
    (key) => {
      const entry = entries.peek(key)
      if (entry && !(entry.value instanceof Promise) && !isCurrent(entry)) entries.delete(key)
    },
  )

  function isCurrent({ value, since, until }: Entry<Value>): boolean {
    if (value instanceof Promise) return since === changes.now()
    if (value === undefined || value === null) return performance.now() < until
    return !isStale(value, since)
  }

  return {
    /** how many are held, current or not */
    get size() {
      return entries.size
    },
    /** The value, without a promise where it is at hand. The hint is handed to the load. Whoever asks has caught up. */
    get(key: Key, hint: Hint): Value | Promise<Value> {
      const entry = entries.get(key)
      return entry && isCurrent(entry) ? entry.value : begin(key, hint)
    },
  }
}
