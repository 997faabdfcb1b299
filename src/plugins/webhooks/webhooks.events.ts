import { changesOf, event, view, z } from '#atrium'

export const WEBHOOK_FIELDS = ['url', 'types', 'description', 'status'] as const

// Paths of addresses can hold secrets of the receiver, so events name its host only.
const Place = z.object({ host: view.text })
const place = { host: 'hooks.example.com' }

export const webhookEvents = {
  'webhook.created': event('A webhook was created.', Place.extend({ types: z.array(view.text) }), {
    ...place,
    types: ['task.created'],
  }),
  'webhook.updated': event(
    'Fields of a webhook changed, or it was paused or continued.',
    z.object({ version: view.version, changes: changesOf(WEBHOOK_FIELDS) }),
    { version: 1, changes: [{ field: 'status', from: 'active', to: 'paused' }] },
  ),
  'webhook.deleted': event('A webhook was deleted.', Place, place),
  'webhook.secret_rotated': event('A webhook got a new secret; the one before works for another day.', Place, place),
  'webhook.replayed': event(
    'A webhook is sent all events after an id again.',
    Place.extend({ afterEventId: z.number().int() }),
    { ...place, afterEventId: 4000 },
  ),
  'webhook.redelivered': event('A webhook is sent an event again.', Place.extend({ eventId: view.id }), {
    ...place,
    eventId: 4711,
  }),
  'webhook.tested': event('A webhook is tried out: only itself is sent this event.', Place, place),
} as const
