import { AfterId, absentIfBlank, allEvents, bounded, sentence, view, written, z } from '#atrium'

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

const EventType = z.string().meta({
  id: 'EventType',
  get enum() {
    return [...allEvents().keys()]
  },
})

export const EventView = z
  .object({
    id: view.id,
    type: EventType,
    occurredAt: view.instant,
    actor: z
      .object({ kind: z.enum(['user', 'service', 'system']), id: view.maybeId, name: view.person })
      .meta({ id: 'EventActor', examples: [{ kind: 'user', id: 7, name: 'Ada Lovelace' }] }),
    subject: z
      .object({ type: view.text, id: view.id })
      .meta({ id: 'EventSubject', examples: [{ type: 'task', id: 117 }] }),
    data: written(z.looseObject({})),
  })
  .meta({
    id: 'Event',
    examples: [
      {
        id: 4711,
        type: 'task.updated',
        occurredAt: '2026-11-21T09:30:00.000Z',
        actor: { kind: 'user', id: 7, name: 'Ada Lovelace' },
        subject: { type: 'task', id: 117 },
        data: { projectId: 42, version: 4, changes: [{ field: 'status', from: 'TODO', to: 'IN_PROGRESS' }] },
      },
    ],
  })
