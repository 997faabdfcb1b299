import { sql } from 'kysely'
import { find } from '../sql/verbs.ts'

/** How many events wait for their ids, and for how long the oldest has. */
export const countUnnumbered = find((from, _: object) =>
  from('unnumberedEvents').select((eb) => [
    eb.fn.countAll<number>().as('pending'),
    sql<number>`coalesce(extract(epoch from clock_timestamp() - min(unnumbered_events.occurred_at)), 0)::float8`.as(
      'oldest',
    ),
  ]),
)

/** Whether an event waits for its id. */
export const findUnnumbered = find((from, _: object) =>
  from('unnumberedEvents').select('unnumberedEvents.id').limit(sql.lit(1)),
)

/** The last id that the log has given out; undefined if there is none yet. */
export const findLastEvent = find((from, _: object) => from('eventCounters').select('eventCounters.lastNumber as id'))
