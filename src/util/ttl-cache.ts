import { LRUCache } from 'lru-cache'

/**
 * Remembers what was loaded, briefly: for `ttl` milliseconds counted from the start of the load, so that what changed
 * meanwhile is never remembered for longer than that. Callers that come together share one load; failures are forgotten.
 *
 * What is kept is the load itself: the `fetch` of lru-cache counts from its end, never answers without a promise, and
 * does not remember that something is not there.
 */
export function ttlCache<Key extends number | string, Value, Hint = void>(
  ttl: number,
  max: number,
  load: (key: Key, hint: Hint) => Promise<Value>,
) {
  const loads = new LRUCache<Key, { value: Value | Promise<Value> }>({ max, ttl, ttlResolution: 0 })

  function begin(key: Key, hint: Hint): Promise<Value> {
    const value = load(key, hint)
    const entry: { value: Value | Promise<Value> } = { value }
    loads.set(key, entry)
    value.then(
      (loaded) => {
        entry.value = loaded
      },
      () => {
        if (loads.peek(key) === entry) loads.delete(key)
      },
    )
    return value
  }

  return {
    /** The value, without a promise where it is at hand. The hint is handed to the load. */
    get(key: Key, hint: Hint): Value | Promise<Value> {
      const entry = loads.get(key)
      return entry ? entry.value : begin(key, hint)
    },
    forget: (key: Key) => void loads.delete(key),
    clear: () => loads.clear(),
  }
}
