/**
 * Work of which one run at a time suffices for each key. A caller who comes during a run may be too late for it, and
 * shares the next one with all others who came in the meantime.
 *
 * @returns requests a run that begins after the call; settles as that run does
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
