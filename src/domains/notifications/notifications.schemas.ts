import { allNotificationTypes, allResourceTypes, arrayQuery, declaredWords, Flag, view, z } from '#atrium'

export const NotificationQuery = arrayQuery({ read: Flag.optional() })

const NotificationType = z.string().meta(declaredWords(allNotificationTypes, 'NotificationType'))
const ResourceType = z.string().meta(declaredWords(allResourceTypes))

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
