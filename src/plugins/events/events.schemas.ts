import { AfterId, absentIfBlank, allEvents, bounded, sentence, z } from '#atrium'

const MOST = 1000
const USUAL = 100
const LONGEST_WAIT_SECONDS = 30

/** Types of events in a query, separated by commas; unknown ones are refused, because nothing would ever match them. */
const Types = z
  .string()
  .max(4000)
  .transform((list) => list.split(',').map((type) => type.trim()))
  .refine((types) => types.every((type) => allEvents().has(type)), sentence('must be types of events'))
  .optional()
  .describe('Only events of these types, separated by commas')

export const EventQuery = z.object(
  absentIfBlank({
    after: AfterId.describe('Only events after this id; by default, and with 0, from the oldest kept'),
    types: Types,
    limit: bounded(1, MOST, USUAL).default(USUAL).describe('How many events at most'),
    wait: bounded(0, LONGEST_WAIT_SECONDS, 0)
      .default(0)
      .describe('How many seconds to wait for an event if there is none yet'),
  }),
)
