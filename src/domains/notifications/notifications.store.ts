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

/** Two filters and not one with a value, so that the unread ones come out of their own index. */
export const listNotifications = windows(
  (from, p: { receiverId: number; onlyRead?: true; onlyUnread?: true }) =>
    from('notifications')
      .select(columns)
      .select(isRead.as('read'))
      .where('notifications.receiverId', '=', p.receiverId)
      .$if(p.onlyRead !== undefined, (query) => query.where('notifications.readAt', 'is not', null))
      .$if(p.onlyUnread !== undefined, (query) => query.where('notifications.readAt', 'is', null)),
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

/**
 * Marks all that were there when the statement began; what arrives meanwhile stays unread. The rows are locked in the
 * order of their ids, so that two who do this at once wait for one another and never in a circle.
 */
export const markAllRead = write(({ update, from }, p: { receiverId: number }) =>
  update('notifications')
    .set({ readAt: sql<string>`clock_timestamp()` })
    .where(
      sql<boolean>`notifications.id = any(array(${from('notifications')
        .select('notifications.id')
        .where('notifications.receiverId', '=', p.receiverId)
        .where('notifications.readAt', 'is', null)
        .orderBy('notifications.id')
        .forNoKeyUpdate()}))`,
    ),
)
