import { type From, find, lend, paginateOrSearch, sql, write, writeReturning } from '#atrium'
import { nameOfWho } from '#atrium/people'

const stored = [
  'notifications.id',
  'notifications.type',
  'notifications.title',
  'notifications.facts',
  'notifications.content',
  'notifications.receiverId',
  'notifications.readAt',
  'notifications.resourceType',
  'notifications.resourceId',
  'notifications.createdAt',
] as const

/** What the user is called whom a notification is about, looked up for each row shown: a title stores nobody's name. */
export const userNameShown = lend(['notifications'], (from: From) =>
  sql<string | null>`case when notifications.resource_type = 'user'
    then ${nameOfWho(from, 'notifications.resourceId')} end`.as('userName'),
)

/** What is shown of a notification. */
export const shown = lend(
  ['notifications'],
  (from: From) => [...stored, userNameShown(from), sql<boolean>`notifications.read_at is not null`.as('read')] as const,
)

/** The notifications of everybody. */
export const arrivals = lend(['notifications'], (from: From) => from('notifications'))

/**
 * Two filters instead of one with a value, so that unread ones use their own index. Read ones have no index: nearly all
 * are read, and it would slow down every reading.
 */
export const listNotifications = paginateOrSearch(
  (from, p: { receiverId: number; onlyUnread?: true }) =>
    from('notifications')
      .select(shown(from))
      .where('notifications.receiverId', '=', p.receiverId)
      .$if(p.onlyUnread !== undefined, (query) => query.where('notifications.readAt', 'is', null)),
  (found, p: { receiverId: number; onlyRead?: true; onlyUnread?: true }) =>
    found.$if(p.onlyRead !== undefined, (query) => query.where('notifications.readAt', 'is not', null)),
  'notifications',
  { filters: ['onlyRead'], long: { text: ['content'] } },
)

export const countUnread = find((from, p: { receiverId: number }) =>
  from('notifications')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('notifications.receiverId', '=', p.receiverId)
    .where('notifications.readAt', 'is', null),
)

/** Marks one as read; if it was read already, its time stays. */
export const markRead = writeReturning(({ update, from }, p: { id: number; receiverId: number }) =>
  update('notifications')
    .set({ readAt: sql<string>`least(read_at, statement_timestamp())` })
    .where('notifications.id', '=', p.id)
    .where('notifications.receiverId', '=', p.receiverId)
    .returning(shown(from)),
)

/**
 * Marks all that exist when the statement begins; later ones stay unread. Rows are locked in the order of their ids, so
 * that two concurrent calls cannot deadlock.
 */
export const markAllRead = write(({ update, from }, p: { receiverId: number }) =>
  update('notifications')
    .set({ readAt: sql<string>`statement_timestamp()` })
    .where(
      sql<boolean>`notifications.id = any(array(${from('notifications')
        .select('notifications.id')
        .where('notifications.receiverId', '=', p.receiverId)
        .where('notifications.readAt', 'is', null)
        .orderBy('notifications.id')
        .forNoKeyUpdate()}))`,
    ),
)
