import { z } from 'zod'
import { arrayQuery } from '../../kernel/page.ts'
import { Flag, view } from '../../kernel/zod.ts'

export const NotificationQuery = arrayQuery({
  read: Flag.optional(),
})

export const NotificationType = z
  .enum([
    'TASK_ASSIGNED',
    'TASK_COMMENTED',
    'PROJECT_MEMBER_ADDED',
    'APPROVAL_PENDING',
    'APPROVAL_APPROVED',
    'APPROVAL_REJECTED',
    'APPROVAL_CANCELLED',
  ])
  .meta({ id: 'NotificationType' })

export const NotificationView = z
  .object({
    id: view.id,
    type: NotificationType,
    title: view.text,
    content: view.maybeText,
    receiverId: view.id,
    read: z.boolean(),
    readAt: view.maybeInstant,
    resourceType: z.enum(['project', 'task', 'approval']).nullable(),
    resourceId: view.maybeId,
    createdAt: view.instant,
  })
  .meta({ id: 'Notification' })

export const UnreadCount = z.object({ count: z.number().int() }).meta({ id: 'UnreadCount' })
