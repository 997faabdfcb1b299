/**
 * Work of which one run at a time is enough for each key. Whoever comes while a run is under way may have come too late
 * for it: they share the next one with everybody else who came meanwhile.
 *
 * @returns asks for a run that begins after the call; settles as that run does
 */
export function sharedRuns<Key, Args extends unknown[], T>(
  work: (key: Key, ...args: Args) => Promise<T>,
): (key: Key, ...args: Args) => Promise<T> {
  interface Runs {
    now: Promise<T>
    next?: Promise<T>
  }
  const byKey = new Map<Key, Runs>()

  function begin(key: Key, args: Args): Promise<T> {
    const runs: Runs = { now: work(key, ...args) }
    byKey.set(key, runs)
    const forget = () => {
      if (!runs.next) byKey.delete(key)
    }
    runs.now.then(forget, forget)
    return runs.now
  }

  return (key, ...args) => {
    const runs = byKey.get(key)
    if (!runs) return begin(key, args)
    const after = () => begin(key, args)
    runs.next ??= runs.now.then(after, after)
    return runs.next
  }
}
