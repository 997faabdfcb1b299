import { sql } from 'kysely'
import { windows } from '../../data/paged.ts'
import { decide, find, write } from '../../data/statement.ts'

const columns = [
  'notifications.id',
  'notifications.type',
  'notifications.title',
  'notifications.content',
  'notifications.receiverId',
  'notifications.readAt',
  'notifications.resourceType',
  'notifications.resourceId',
  'notifications.createdAt',
] as const
const isRead = sql<boolean>`notifications.read_at is not null`

export const listNotifications = windows(
  (from, p: { receiverId: number; read?: boolean }) =>
    from('notifications')
      .select(columns)
      .select(isRead.as('read'))
      .where('notifications.receiverId', '=', p.receiverId)
      .$if(p.read !== undefined, (query) =>
        query.where(sql<boolean>`(notifications.read_at is not null) = ${p.read}::boolean`),
      ),
  'notifications.id',
)

export const countUnread = find((from, p: { receiverId: number }) =>
  from('notifications')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('notifications.receiverId', '=', p.receiverId)
    .where('notifications.readAt', 'is', null),
)

/** Marks one as read; one that was read already keeps its time. */
export const markRead = decide(({ update }, p: { id: number; receiverId: number }) =>
  update('notifications')
    .set({ readAt: sql<string>`coalesce(read_at, clock_timestamp())` })
    .where('notifications.id', '=', p.id)
    .where('notifications.receiverId', '=', p.receiverId)
    .returning(columns)
    .returning(isRead.as('read')),
)

/** The statement sees only what was there when it began, so what arrives meanwhile stays unread. */
export const markAllRead = write(({ update }, p: { receiverId: number }) =>
  update('notifications')
    .set({ readAt: sql<string>`clock_timestamp()` })
    .where('notifications.receiverId', '=', p.receiverId)
    .where('notifications.readAt', 'is', null),
)
