import { allNotificationTypes, allResourceTypes, arrayQuery, Flag, view, z } from '#atrium'

export const NotificationQuery = arrayQuery({ read: Flag.optional() })

/** All types that domains declare; they are known when the document is written. */
const NotificationType = z.string().meta({
  id: 'NotificationType',
  get enum() {
    return allNotificationTypes()
  },
})

const ResourceType = z.string().meta({
  get enum() {
    return allResourceTypes()
  },
})

export const NotificationView = z
  .object({
    id: view.id,
    type: NotificationType,
    title: view.text,
    content: view.maybeText,
    receiverId: view.id,
    read: z.boolean(),
    readAt: view.maybeInstant,
    resourceType: ResourceType.nullable(),
    resourceId: view.maybeId,
    createdAt: view.instant,
  })
  .meta({
    id: 'Notification',
    examples: [
      {
        id: 311,
        type: 'TASK_ASSIGNED',
        title: 'You were assigned Prepare the launch',
        receiverId: 7,
        read: false,
        resourceType: 'task',
        resourceId: 117,
      },
    ],
  })

export const UnreadCount = z.object({ count: z.number().int() }).meta({ id: 'UnreadCount', examples: [{ count: 3 }] })
