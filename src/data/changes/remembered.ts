import { LRUCache } from 'lru-cache'
import type { Changes } from './changes.ts'

export interface Remembering<Key, Value, Hint> {
  /** how many are held, the most recently used */
  most: number
  load(key: Key, hint: Hint): Promise<Value>
  /** Whether what was loaded at a moment has changed since, or has expired. */
  isStale(value: Value & {}, since: number): boolean
}

/** How long an absence is remembered, because nothing announces that a thing now exists. */
const ABSENT_MS = 800

interface Entry<Value> {
  value: Value | Promise<Value>
  since: number
  /** on the monotonic clock, for an absence */
  until: number
}

/**
 * Remembers what was loaded until it changes, in whichever process. Callers that come together share one load, as long
 * as nothing has changed since it began; failures are not remembered.
 */
export function remembered<Key extends number | string, Value, Hint = void>(
  changes: Changes,
  { most, load, isStale }: Remembering<Key, Value, Hint>,
) {
  // By size: with `max` the cache would allocate all its memory in advance.
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

  // Entries of ended sessions would stay until newer ones replace them.
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
    /** The value, without a promise if it is held. The hint is passed to the load. Callers have caught up first. */
    get(key: Key, hint: Hint): Value | Promise<Value> {
      const entry = entries.get(key)
      return entry && isCurrent(entry) ? entry.value : begin(key, hint)
    },
  }
}
