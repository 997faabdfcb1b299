import { sql } from 'kysely'
import { type Actor, kindOfActor } from '../../kernel/actor.ts'
import { subjectTypeOf } from '../../kernel/words/events.ts'
import { write } from '../sql/verbs.ts'
import { recordActivity } from '../tx/activities.ts'
import type { Activity, Happening, Tx } from '../tx/scope.ts'

type ActorKind = 'user' | 'service' | 'system'

const insertEvent = write(
  (
    { insert },
    p: {
      type: string
      subjectType: string
      subjectId: number
      actorKind: ActorKind
      actorId: number | null
      data: Record<string, unknown>
      /** null if the command has not read the clock: it sends everything with its commit */
      occurredAt: string | null
    },
  ) =>
    insert('unnumberedEvents', {
      ...p,
      occurredAt: sql<string>`coalesce(${p.occurredAt}::timestamptz, clock_timestamp())`,
    }),
)

/**
 * Records what happened, in the transaction that did it: its event, and its lines of history.
 * @param now the time of the command, if it is known
 */
export function recordHappening(
  tx: Tx,
  { event, subject, data, history = [], actorId }: Happening,
  now: string | undefined,
): void {
  for (const line of [history].flat() as Activity[]) recordActivity(tx, line)
  insertEvent(tx, {
    type: event,
    subjectType: subjectTypeOf(event),
    subjectId: subject,
    ...(actorId === undefined ? actorOf(tx) : { actorKind: 'user', actorId }),
    data,
    occurredAt: now ?? null,
  })
}

/** Visitors, and the system administrator in another tenant, are nobody whom the tenant could look up. */
function actorOf({ actor, tenantId }: { actor: Actor; tenantId: number }): {
  actorKind: ActorKind
  actorId: number | null
} {
  const isOurs = actor.kind === 'user' && actor.tenantId === tenantId
  return isOurs ? { actorKind: kindOfActor(actor), actorId: actor.id } : { actorKind: 'system', actorId: null }
}
