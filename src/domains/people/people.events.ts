import { changesOf, type EventData, event, type FieldChange, type Tx, view, z } from '#atrium'
import { UserStatus } from './people.schemas.ts'

/** What can change of a person. The values of most name them or are secret, so an event only says that they changed. */
const FIELDS = [
  ...(['username', 'nickname', 'email', 'phone', 'realName', 'roles', 'selfRegistered', 'password'] as const),
  ...(['avatar', 'locale', 'timeZone', 'mail', 'secondFactor', 'sessions'] as const),
] as const
const SHOWN: readonly UserField[] = ['roles', 'selfRegistered', 'locale', 'timeZone']
export type UserField = (typeof FIELDS)[number]

const Nothing = z.object({})

/** Nothing here names a person: their rows are cleared when they go, and the log is not. */
export const userEvents = {
  'user.created': event(
    'A person or a service account was added, or a stranger registered.',
    z.object({ status: UserStatus, roles: z.array(view.text), selfRegistered: z.boolean(), isService: z.boolean() }),
    { status: 'active', roles: ['user'], selfRegistered: false, isService: false },
  ),
  'user.updated': event(
    'Something about a person changed: their profile, their roles or their password; or somebody else ended their `sessions`.',
    z.object({ changes: changesOf(FIELDS) }),
    { changes: [{ field: 'roles', from: ['user'], to: ['user', 'editor'] }] },
  ),
  'user.disabled': event('A person can no longer sign in.', Nothing, {}),
  'user.enabled': event('A person can sign in again.', Nothing, {}),
  'user.deleted': event('A person was deleted. Their name is gone from everything but the audit.', Nothing, {}),
  'user.restored': event('A deleted person is back.', z.object({ roles: z.array(view.text) }), { roles: ['user'] }),
} as const

type NewUser = EventData<'user.created'>

/** Records a new user: by default an active person whom somebody has added. A visitor adds the person that they become. */
export function recordUser(
  tx: Tx<any>,
  subject: number,
  { status = 'active', roles, selfRegistered = false, isService = false }: Partial<NewUser> & Pick<NewUser, 'roles'>,
): void {
  const data = { status, roles, selfRegistered, isService }
  tx.record({ event: 'user.created', subject, data, ...itself(tx, subject) })
}

/** A visitor becomes a person by registering, and changes one by a link that only that person has. */
function itself(tx: Tx<any>, actorId: number) {
  return tx.actor.kind === 'visitor' ? { actorId } : {}
}

/** Records what has changed of a person, if anything has. */
export function recordUserChanges(tx: Tx<any>, subject: number, changes: readonly FieldChange<UserField>[]): void {
  if (changes.length === 0) return
  const safe = changes.map((change) => (SHOWN.includes(change.field) ? change : { ...change, from: null, to: null }))
  tx.record({ event: 'user.updated', subject, data: { changes: safe }, ...itself(tx, subject) })
}

/** The same for fields whose values an event does not show. */
export function recordUserFields(tx: Tx<any>, subject: number, fields: readonly UserField[]): void {
  recordUserChanges(
    tx,
    subject,
    fields.map((field) => ({ field, from: null, to: null })),
  )
}

/** Records that somebody may sign in from now on, or may not, if that has changed. */
export function recordStatus(
  tx: Tx<any>,
  subject: number,
  before: z.output<typeof UserStatus>,
  after: z.output<typeof UserStatus>,
): void {
  if (before === after) return
  tx.record({ event: after === 'active' ? 'user.enabled' : 'user.disabled', subject, data: {} })
}
