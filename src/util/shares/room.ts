export type Room = ReturnType<typeof openRoom>

/**
 * A counted number of places, such as streams, that the tenants of a process share. Nobody may have more places than
 * are free after they took one: one alone gets half of them, and the next half of the rest. So some are always free for
 * one more, and as places come back all get the same. The last place is for those who have none.
 * @see Choudhury and Hahne, Dynamic queue length thresholds for shared-memory packet switches (1998)
 */
export function openRoom(most: number) {
  const held = new Map<number, number>()
  let free = most
  /** How many somebody has. */
  const heldBy = (who: number) => held.get(who) ?? 0

  /** How many more somebody may have now. */
  function left(who: number): number {
    const has = heldBy(who)
    return Math.max(Math.floor((free - has) / 2), has === 0 ? Math.min(free, 1) : 0)
  }

  return {
    /** how many are free */
    get free() {
      return free
    },
    heldBy,
    left,
    /** @returns false if that is more than is left for them */
    take(who: number, places = 1): boolean {
      if (places > left(who)) return false
      free -= places
      held.set(who, heldBy(who) + places)
      return true
    },
    giveBack(who: number, places = 1): void {
      free += places
      const rest = heldBy(who) - places
      if (rest > 0) held.set(who, rest)
      else held.delete(who)
    },
  }
}
