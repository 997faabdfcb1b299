import { IdInPath, z } from '#atrium'

/** EventSource sends it as a header; some replacements can only send it here. Blank counts as absent, 0 means all. */
export const StreamQuery = z.object({
  lastEventId: z
    .union([z.literal('').transform(() => undefined), z.literal('0').transform(() => 0), IdInPath])
    .optional()
    .meta({ documented: { type: 'integer', minimum: 0 }, of: 'notifications' }),
})

export const EventText = z.any().meta({
  type: 'string',
  example:
    'retry: 3000\n\nid: 41\nevent: unread-count\ndata: {"count":2}\n\n' +
    'id: 42\nevent: notification\ndata: {"id":42,"type":"TASK_ASSIGNED","title":"Choose the wood", …}\n\n',
})
