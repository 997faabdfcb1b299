/**
 * Remembers what was loaded, briefly: for `ttl` milliseconds counted from the start of the load, so that what changed
 * meanwhile is never remembered for longer than that. Callers that come together share one load; failures are forgotten.
 */
export function ttlCache<Key, Value, Hint = void>(
  ttl: number,
  most: number,
  load: (key: Key, hint: Hint) => Promise<Value>,
) {
  const remembered = new Map<Key, { value: Promise<Value>; settled: Value | undefined; until: number }>()

  function fetch(key: Key, hint: Hint): Promise<Value> {
    if (remembered.size >= most) remembered.delete(remembered.keys().next().value as Key)
    const entry = { value: load(key, hint), settled: undefined as Value | undefined, until: performance.now() + ttl }
    remembered.delete(key)
    remembered.set(key, entry)
    entry.value.then(
      (value) => {
        entry.settled = value
      },
      () => {
        if (remembered.get(key) === entry) remembered.delete(key)
      },
    )
    return entry.value
  }

  return {
    /** The value, without a promise where it is at hand. The hint is handed to the load. */
    get(key: Key, hint: Hint): Value | Promise<Value> {
      const entry = remembered.get(key)
      if (!entry || entry.until <= performance.now()) return fetch(key, hint)
      return entry.settled ?? entry.value
    },
    forget: (key: Key) => void remembered.delete(key),
    clear: () => remembered.clear(),
  }
}
