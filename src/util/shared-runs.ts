import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Work of which one run at a time suffices for each key. A caller who comes during a run may be too late for it, and
 * shares the next one with all others who came in the meantime. The callers hand nothing over; `batches` is for that.
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

/**
 * Work that is done for several together, one batch of each key at a time. What comes within `gatherMs` of the first, or
 * while the batch before is under way, belongs to the next batch.
 *
 * @returns hands over one; settles as the batch settles that took it
 */
export function batches<Key, Item, T>(
  gatherMs: number,
  work: (key: Key, items: readonly Item[]) => Promise<T>,
): (key: Key, item: Item) => Promise<T> {
  interface Batch {
    items: Item[]
    done: Promise<T>
  }
  const gathering = new Map<Key, Batch>()
  const underWay = new Map<Key, Promise<unknown>>()

  async function carry(key: Key, items: readonly Item[]): Promise<T> {
    await Promise.all([sleep(gatherMs), underWay.get(key)])
    gathering.delete(key)
    const done = work(key, items)
    const ended = done.then(
      () => {},
      () => {},
    )
    underWay.set(key, ended)
    void ended.then(() => underWay.get(key) === ended && underWay.delete(key))
    return done
  }

  return (key, item) => {
    const open = gathering.get(key)
    if (open) {
      open.items.push(item)
      return open.done
    }
    const items = [item]
    const batch = { items, done: carry(key, items) }
    gathering.set(key, batch)
    return batch.done
  }
}
