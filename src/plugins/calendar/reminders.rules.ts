/** Reminders are sent from this hour on, in the time zone of the tenant. */
const HOUR = 8

/** The clock of a time zone, as it is read on a wall there. */
export interface WallClock {
  /** `2026-11-22` */
  day: string
  hour: number
}

/**
 * The clocks of a time zone. They are made once and read often.
 * @param timeZone of the IANA database: `Asia/Shanghai` @returns what they show at an instant
 */
export function clocksOf(timeZone: string): (instant: Date) => WallClock {
  // The first format of Intl takes 10 MiB, and most tenants keep the time zone that they begin with.
  if (timeZone === 'UTC') return (instant) => ({ day: instant.toISOString().slice(0, 10), hour: instant.getUTCHours() })
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
  })
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
    return { day: `${parts.year!.padStart(4, '0')}-${parts.month}-${parts.day}`, hour: Number(parts.hour) }
  }
}

/** The clocks of all time zones at an instant; each is read once. */
export function clocksAt(instant: Date): (timeZone: string) => WallClock {
  const clocks = new Map<string, WallClock>()
  return (timeZone) => {
    const clock = clocks.get(timeZone) ?? clocksOf(timeZone)(instant)
    clocks.set(timeZone, clock)
    return clock
  }
}

/** Whether the people of a tenant are reminded now, if they have not been on this day. */
export function isTimeToRemind({ hour }: WallClock): boolean {
  return hour >= HOUR
}

/** The days on which a task is due that its assignee is reminded of on a day: the day itself and the next one. */
export function daysToRemindOf(day: string): [today: string, tomorrow: string] {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return [day, next.toISOString().slice(0, 10)]
}
