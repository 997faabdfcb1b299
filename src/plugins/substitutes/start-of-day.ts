/** More than the offset of any time zone. */
const MOST_OFFSET_MS = 15 * 3600_000
const DAY_MS = 86_400_000

/**
 * The instant at which a day begins in a time zone, as ISO 8601 in UTC. It is found by halving, because a day that begins
 * with a change of the clock has no midnight.
 * @param day `2026-03-29`, from the year 1000 to 9999
 * @param timeZone a name that Intl knows
 */
export function startOfDay(day: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const midnight = Date.parse(day)
  let [before, after] = [midnight - MOST_OFFSET_MS, midnight + MOST_OFFSET_MS]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (format.format(middle) < day) before = middle
    else after = middle
  }
  return new Date(after).toISOString()
}

/** The day after a day. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
}
