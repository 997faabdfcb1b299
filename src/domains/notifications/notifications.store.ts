import { type From, find, lend, list, matches, paginateOrSearch, sql, write, writeReturning } from '#atrium'
import { everybody, nameOfWho } from '#atrium/people'

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
const isRead = sql<boolean>`notifications.read_at is not null`

/** What the user is called whom a notification is about, looked up for each row shown: a title stores nobody's name. */
export const userNameShown = lend(['notifications'], (from: From) =>
  sql<string | null>`case when notifications.resource_type = 'user'
    then ${nameOfWho(from, 'notifications.resourceId')} end`.as('userName'),
)

const columns = (from: From) => [...stored, userNameShown(from)] as const

/** The notifications of everybody. */
export const arrivals = lend(['notifications'], (from: From) => from('notifications'))

/**
 * Two filters instead of one with a value, so that unread ones use their own index. Read ones have no index: nearly all
 * are read, and it would slow down every reading.
 */
export const listNotifications = paginateOrSearch(
  (from, p: { receiverId: number; onlyUnread?: true }) =>
    from('notifications')
      .select(columns(from))
      .select(isRead.as('read'))
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

/** The snapshot of the statement: all transactions before `oldest` have ended, those from `next` on have not begun. */
const snapshot = [
  sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`.as('oldest'),
  sql<number>`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.as('next'),
] as const

/** For each receiver the first ones above their floor, at most `most`. */
export const listArrivals = list((from, p: { receivers: number[]; floors: number[]; most: number }) =>
  everybody(from)
    .innerJoin(
      sql<{ receiver: number; floor: number }>`unnest(${p.receivers}::bigint[], ${p.floors}::bigint[])`.as<'inbox'>(
        sql`inbox (receiver, floor)`,
      ),
      'inbox.receiver',
      'users.id',
    )
    .innerJoinLateral(
      from('notifications')
        .select(columns(from))
        .select(isRead.as('read'))
        .where(matches('notifications.receiverId', 'users.id'))
        .where('notifications.id', '>', sql<number>`inbox.floor`)
        .orderBy('notifications.id')
        .limit(p.most)
        .as('arrival'),
      (join) => join.onTrue(),
    )
    .selectAll('arrival')
    .select(snapshot),
)

/** The ids of the last ones, newest first. */
export const listLatestIds = list((from, p: { receiverId: number; most: number }) =>
  from('notifications')
    .select('notifications.id')
    .select(snapshot)
    .where('notifications.receiverId', '=', p.receiverId)
    .orderBy('notifications.id', 'desc')
    .limit(p.most),
)

export const countUnreadOfEach = list((from, p: { receivers: number[] }) =>
  everybody(from)
    .select('users.id as receiverId')
    .select(
      from('notifications')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(matches('notifications.receiverId', 'users.id'))
        .where('notifications.readAt', 'is', null)
        .as('unread'),
    )
    .where('users.id', '=', sql<number>`any(${p.receivers}::bigint[])`),
)

/** Marks one as read; if it was read already, its time stays. */
export const markRead = writeReturning(({ update, from }, p: { id: number; receiverId: number }) =>
  update('notifications')
    .set({ readAt: sql<string>`least(read_at, statement_timestamp())` })
    .where('notifications.id', '=', p.id)
    .where('notifications.receiverId', '=', p.receiverId)
    .returning(columns(from))
    .returning(isRead.as('read')),
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
