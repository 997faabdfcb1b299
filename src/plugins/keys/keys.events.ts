import { event, view, z } from '#atrium'

const Key = z.object({ userId: view.id, prefix: view.text })
const key = { userId: 31, prefix: 'atr_1_5f2b6c1d' }

export const keyEvents = {
  'key.created': event('A service account got a key.', Key.extend({ permissions: z.array(view.text).nullable() }), {
    ...key,
    permissions: ['task:create'],
  }),
  'key.revoked': event('A key of a service account was revoked.', Key.pick({ userId: true }), { userId: 31 }),
} as const
