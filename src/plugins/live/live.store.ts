import { list, matches, sql } from '#atrium'
import { arrivals, shown } from '#atrium/notifications'
import { everybody } from '#atrium/people'

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
      arrivals(from)
        .select(shown(from))
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
  arrivals(from)
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
      arrivals(from)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(matches('notifications.receiverId', 'users.id'))
        .where('notifications.readAt', 'is', null)
        .as('unread'),
    )
    .where('users.id', '=', sql<number>`any(${p.receivers}::bigint[])`),
)
