import { type Language, translate, Written } from '#atrium'
import type { StoredEvent } from './events.store.ts'

/** What the service is called when it acts by itself. */
const SYSTEM = 'Atrium'

/** An event as it is shown. @param names of actors; blank for those who have left */
export function eventView(event: StoredEvent, names: ReadonlyMap<number, string | null>) {
  const { data, ...head } = headOf(event, names)
  return { ...head, data: new Written(data) }
}

/** The same as JSON. @param language in which an actor is named who has left */
export function eventText(event: StoredEvent, names: ReadonlyMap<number, string | null>, language: Language): string {
  const { data, ...head } = headOf(event, names)
  const actor = { ...head.actor, name: head.actor.name || translate(language, 'former member') }
  return `${JSON.stringify({ ...head, actor }).slice(0, -1)},"data":${data}}`
}

function headOf(event: StoredEvent, names: ReadonlyMap<number, string | null>) {
  const { id, type, occurredAt, actorKind, actorId, subjectType, subjectId, data } = event
  const name = actorId === null ? SYSTEM : (names.get(actorId) ?? '')
  return {
    id,
    type,
    occurredAt,
    actor: { kind: actorKind as 'user', id: actorId, name },
    subject: { type: subjectType, id: subjectId },
    data,
  }
}
