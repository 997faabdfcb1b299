/** How often something may be done: at most `most` times within any `windowMs`. 0 turns it off. */
export interface Limit {
  name: string
  most: number
  windowMs: number
}

/** One attempt that counts under a limit; attempts with the same key share a window. */
export interface Attempt {
  limit: Limit
  key: string
}

/** What is left under a limit for one key. */
export interface Quota {
  /** false: it is full, and the attempt does not count */
  isOpen: boolean
  /** how many more are allowed now */
  left: number
  /** ms until the oldest leaves the window; the whole window if there is none */
  movesIn: number
}

/** A place that was taken, or not; it can be given back. */
export interface Slot extends Quota {
  release(): void
}

/**
 * Sliding windows in memory, one for each key: the times of the attempts, the oldest first, by the monotonic clock, so
 * that setting the wall clock back locks no one out. A window holds no more times than its limit, and the window that
 * was unused longest is removed first.
 */
export function slidingWindows(mostKeys: number, clock = () => Math.trunc(performance.now())) {
  const windows = new Map<string, number[]>()

  function timesOf({ windowMs }: Limit, id: string, now: number): number[] {
    const times = windows.get(id) ?? []
    const kept = times.findIndex((time) => time > now - windowMs)
    times.splice(0, kept < 0 ? times.length : kept)
    return times
  }

  return {
    /** Counts nothing. */
    look(limit: Limit, key: string): Quota {
      const now = clock()
      return quotaOf(limit, timesOf(limit, `${limit.name}:${key}`, now), now)
    },

    /** Looks and counts in one step. */
    take(limit: Limit, key: string): Slot & { /** by the clock of these windows */ readonly at: number } {
      const now = clock()
      const id = `${limit.name}:${key}`
      const times = timesOf(limit, id, now)
      const { isOpen } = quotaOf(limit, times, now)
      if (isOpen) times.push(now)
      windows.delete(id)
      windows.set(id, times)
      if (windows.size > mostKeys) windows.delete(windows.keys().next().value!)
      return {
        ...quotaOf(limit, times, now),
        isOpen,
        at: now,
        release() {
          if (isOpen) giveBack(times, now)
        },
      }
    },

    /** Gives back a place that was taken at this time. */
    giveBack(limit: Limit, key: string, at: number): void {
      giveBack(windows.get(`${limit.name}:${key}`) ?? [], at)
    },
  }
}

function giveBack(times: number[], time: number) {
  const at = times.lastIndexOf(time)
  if (at >= 0) times.splice(at, 1)
}

function quotaOf({ most, windowMs }: Limit, times: readonly number[], now: number): Quota {
  const [oldest = now] = times
  return { isOpen: times.length < most, left: most - times.length, movesIn: oldest + windowMs - now }
}
