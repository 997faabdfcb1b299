import { cold, columnsOf, type From, find, list, sql, write, writeReturning } from '#atrium'
import { arrivals, userNameShown } from '#atrium/notifications'
import { livingPeople, personOf } from '#atrium/people'

/** A tenant that has not been looked at has no more news than these, or old ones. */
const FIRST = 1000

/** Counts rows, because ids have gaps: on a cluster, more than a thousand between one notification and the next. */
const lastSeen = (from: From) =>
  sql<number>`coalesce((${from('mailCursors').select('mailCursors.seen')}),
    (${arrivals(from).select('notifications.id').orderBy('notifications.id', 'desc').limit(1).offset(FIRST)}), 0)`

/** Whether there are notifications after `floor` that nobody has looked at. */
export const findNews = find((from, p: { floor: number }) =>
  arrivals(from)
    .select('notifications.id')
    .where('notifications.id', '>', sql<number>`greatest(${lastSeen(from)}, ${p.floor}::bigint)`)
    .orderBy('notifications.id')
    .limit(1),
)

/** Up to which the news of a tenant was looked at, or would be if somebody began now. */
export const findLastSeen = find((from, _: object) => cold.selectNoFrom(lastSeen(from).as('seen')))

/**
 * Only one transaction at a time looks at the news of a tenant.
 * @param p.seen where it begins if nobody has looked yet; @returns up to which it was looked at
 */
export const lockCursor = writeReturning(({ insert }, p: { seen: number }) =>
  insert('mailCursors', p)
    .onConflict((conflict) =>
      conflict.columns(['tenantId', 'id']).doUpdateSet({ seen: sql<number>`mail_cursors.seen` }),
    )
    .returning('mailCursors.seen'),
)

export const saveCursor = write(({ update }, p: { seen: number }) =>
  update('mailCursors').set({ seen: p.seen }).where('mailCursors.id', '=', 1),
)

/** The notifications after `floor` that nobody has looked at, with what their receivers want; those of a day ago,
 * or from before the address was verified, are stale. */
export const listNews = list((from, p: { floor: number; most: number }) =>
  arrivals(from)
    .innerJoin('users', personOf('notifications.receiverId'))
    .select(['notifications.id', 'notifications.receiverId'])
    .select(columnsOf('users', ['status', 'deletedAt', 'email', 'emailVerifiedAt', 'mail', 'locale', 'timeZone']))
    .select(
      sql<boolean>`notifications.created_at < greatest(clock_timestamp() - interval '1 day', users.email_verified_at)`.as(
        'isStale',
      ),
    )
    .where('notifications.id', '>', sql<number>`greatest(${lastSeen(from)}, ${p.floor}::bigint)`)
    .orderBy('notifications.id')
    .limit(p.most),
)

/** Keeps news for a person's next daily mail. */
export const putIntoDigest = write(
  ({ insert }, p: { userId: number; newsFrom: number; newsTo: number; dueAt: string }) =>
    insert('mailDigests', p).onConflict((conflict) =>
      conflict.columns(['tenantId', 'userId']).doUpdateSet({ newsTo: p.newsTo }),
    ),
)

export const findDueDigest = find((from, _: object) =>
  from('mailDigests')
    .select('mailDigests.userId')
    .where('mailDigests.dueAt', '<=', sql<string>`clock_timestamp()`)
    .orderBy('mailDigests.dueAt')
    .orderBy('mailDigests.userId')
    .limit(1),
)

/** Takes the daily mails that are due; they become mails in the same transaction. */
export const takeDigests = writeReturning(({ remove, from }, p: { most: number }) =>
  remove('mailDigests')
    .where(
      sql<boolean>`mail_digests.user_id = any(array(${from('mailDigests')
        .select('mailDigests.userId')
        .where('mailDigests.dueAt', '<=', sql<string>`statement_timestamp()`)
        .orderBy('mailDigests.dueAt')
        .orderBy('mailDigests.userId')
        .limit(p.most)
        .forUpdate()
        .skipLocked()}))`,
    )
    .returning(['mailDigests.userId', 'mailDigests.newsFrom', 'mailDigests.newsTo']),
)

/** The newest unread notifications of a person within a range, and how many there are. */
export const listNewsOf = list((from, p: { receiverId: number; newsFrom: number; newsTo: number; most: number }) =>
  arrivals(from)
    .select(columnsOf('notifications', ['id', 'type', 'title', 'facts', 'content', 'createdAt']))
    .select([userNameShown(from), sql<number>`count(*) over ()`.as('total')])
    .where('notifications.receiverId', '=', p.receiverId)
    .where('notifications.id', '>=', p.newsFrom)
    .where('notifications.id', '<=', p.newsTo)
    .where('notifications.readAt', 'is', null)
    .orderBy('notifications.id', 'desc')
    .limit(p.most),
)

/** A person who gets news by mail, or would if they could; a disabled one may come back. */
export const findSubscriber = find((from, p: { id: number }) =>
  livingPeople(from).select('users.id').where('users.id', '=', p.id).where('users.mail', '!=', 'never'),
)
