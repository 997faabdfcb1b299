import { z } from 'zod'
import { allEvents } from '../kernel/words/events.ts'
import { view, written } from '../kernel/zod.ts'

const EventType = z.string().meta({
  id: 'EventType',
  get enum() {
    return [...allEvents().keys()]
  },
})

/** An event as other systems read it. */
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
