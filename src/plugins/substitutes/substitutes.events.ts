import { event, view, z } from '#atrium'

export const substituteEvents = {
  'user.substitute_named': event(
    'Somebody decides requests for a person in these days.',
    z.object({
      substituteId: view.id,
      from: view.text.meta({ format: 'date' }),
      until: view.text.meta({ format: 'date' }),
    }),
    { substituteId: 9, from: '2026-12-21', until: '2027-01-04' },
  ),
  'user.substitute_dismissed': event('A person decides alone again.', z.object({ substituteId: view.id }), {
    substituteId: 9,
  }),
} as const
