import { event, view, z } from '#atrium'

const Nothing = z.object({})

export const portalEvents = {
  'portal.updated': event(
    'A section of the public pages was written.',
    z.object({ section: view.text }),
    { section: 'pricing' },
    'tenant',
  ),
  'contact_message.received': event('A visitor wrote to the tenant.', Nothing, {}),
  'contact_message.handled': event(
    'A message was marked as handled, or as open again.',
    z.object({ handled: z.boolean() }),
    { handled: true },
  ),
  'contact_message.deleted': event('A message of a visitor was deleted.', Nothing, {}),
} as const
