import {
  type Changes,
  type Database,
  isAdministrator,
  isSystemAdministrator,
  type OpenCallers,
  openScope,
  type Permission,
  port,
  remembered,
  type Scope,
  type TenantId,
  type User,
  type WrittenKey,
} from '#atrium'
import { passwordQueue } from '#atrium/people'
import { findRights } from '#atrium/roles'
import { getPolicy, type Policy } from '#atrium/tenants'
import { dutyOf } from './auth.rules.ts'
import { findPrincipal, listLivingSessions } from './auth.store.ts'
import { openSightings } from './sightings.ts'

type Session = { tenantId: TenantId; sessionId: number; userId: number }

/** The user of a session, and their roles. */
interface Principal extends Session, Omit<NonNullable<Awaited<ReturnType<typeof findPrincipal>>>, 'endsIn'> {
  /** on the monotonic clock */
  endsAt: number
  /** built from the rights and the policy that were read last */
  user: User | undefined
  policy: Policy | undefined
  /** when its session was last noted as in use, on the monotonic clock */
  notedAt: number
}

/** The combined permissions of some of a tenant's roles. Most people of a tenant share one of these. */
export interface Rights {
  tenantId: TenantId
  roles: readonly string[]
  permissions: ReadonlySet<Permission>
}

const MOST_PRINCIPALS = 65_536
const MOST_RIGHTS = 10_000
const MOST_TENANTS = 10_000
const SIGHTING_MS = 300_000

/** Finds the rights of some roles, without a promise if they are cached. */
export type RightsOf = (holder: { tenantId: TenantId; roleIds: readonly number[] }) => Rights | Promise<Rights>

/** Caches the rights that roles give, until a role or a permission of the tenant changes. */
export function rememberRights(changes: Changes, scopeOf: (tenantId: TenantId) => Scope): RightsOf {
  const rights = remembered(changes, {
    most: MOST_RIGHTS,
    load: (_key: string, { tenantId, roleIds }: Parameters<RightsOf>[0]) => loadRights(scopeOf(tenantId), roleIds),
    isStale: ({ tenantId }, since) =>
      changes.isChanged('roles', tenantId, since) || changes.isChanged('permissions', 0, since),
  })
  return (holder) => rights.get(`${holder.tenantId}:${holder.roleIds}`, holder)
}

/**
 * Caches the users of sessions until the session ends or the user, their roles or the roles' permissions change. People
 * and rights are cached separately, so a changed role is read once, not once for each holder. A person with a duty is read
 * for each request, so that no process refuses them once it is done.
 */
export function rememberUsers(
  changes: Changes,
  scopeOf: (tenantId: TenantId) => Scope,
  rightsOf: RightsOf,
  sightings: Pick<ReturnType<typeof openSightings>, 'note'>,
) {
  const principals = remembered(changes, {
    most: MOST_PRINCIPALS,
    load: (_sessionId: number, session: Session) => loadPrincipal(scopeOf(session.tenantId), session),
    isStale: ({ sessionId, userId, endsAt, user }, since) =>
      user?.duty !== undefined ||
      endsAt <= performance.now() ||
      changes.isChanged('session', sessionId, since) ||
      changes.isChanged('user', userId, since),
  })

  const policies = remembered(changes, {
    most: MOST_TENANTS,
    load: async (id: TenantId) => ({ tenantId: id, ...(await getPolicy(scopeOf(id), { id })) }),
    isStale: ({ tenantId }, since) => changes.isChanged('tenant', tenantId, since),
  })

  function complete(principal: Principal | undefined): User | undefined | Promise<User> {
    if (!principal) return undefined
    noteSighting(principal)
    const held = rightsOf(principal)
    const policy = policies.get(principal.tenantId, undefined)
    if (!(held instanceof Promise) && !(policy instanceof Promise)) return userOf(principal, held, policy)
    return Promise.all([held, policy]).then((loaded) => userOf(principal, ...loaded))
  }

  /** A session in use is noted every few minutes, for its person to see. */
  function noteSighting(principal: Principal) {
    const now = performance.now()
    if (now - principal.notedAt < SIGHTING_MS) return
    principal.notedAt = now
    sightings.note(principal.tenantId, principal.sessionId)
  }

  return (session: Session): User | undefined | Promise<User | undefined> => {
    const principal = principals.get(session.sessionId, session)
    return principal instanceof Promise ? principal.then(complete) : complete(principal)
  }
}

async function loadPrincipal(scope: Scope, { sessionId, userId }: Session): Promise<Principal | undefined> {
  const askedAt = performance.now()
  const found = await findPrincipal(scope, { sessionId, userId })
  if (!found) return undefined
  const { endsIn, ...person } = found
  return {
    tenantId: scope.tenantId,
    sessionId,
    userId,
    ...person,
    endsAt: askedAt + endsIn,
    user: undefined,
    policy: undefined,
    notedAt: Number.NEGATIVE_INFINITY,
  }
}

async function loadRights(scope: Scope, roleIds: readonly number[]): Promise<Rights> {
  const { roles, permissions } = (await findRights(scope, { roleIds: [...roleIds] }))!
  return { tenantId: scope.tenantId, roles, permissions: new Set(permissions) }
}

function userOf(principal: Principal, { roles, permissions }: Rights, policy: Policy): User {
  if (principal.user?.permissions === permissions && principal.policy === policy) return principal.user
  const { tenantId, sessionId, userId, username, nickname, email, selfRegistered, hasSecondFactor, holdsOffice } =
    principal
  principal.policy = policy
  principal.user = {
    kind: 'user',
    id: userId,
    tenantId,
    sessionId,
    key: undefined,
    username,
    nickname,
    email,
    selfRegistered,
    hasSecondFactor,
    duty: dutyOf({ ...principal, secondFactor: policy.secondFactor }),
    roles,
    permissions,
    isAdministrator: isAdministrator(roles),
    isSystemAdministrator: isSystemAdministrator({ tenantId, roles, holdsOffice }),
  }
  return principal.user
}

/** Programs that call with a key of their own. */
export interface KeyHolders {
  /** The account of a key, without a promise if it is cached; undefined if there is none. @throws RATE_LIMITED */
  find(key: WrittenKey, ip: string): User | undefined | Promise<User | undefined>
  /** Those of the keys that have not ended. */
  findLiving(scope: Scope, keyIds: readonly number[]): Promise<ReadonlySet<number>>
  /** Writes down what is not yet. */
  close(): Promise<void>
}

/** Whose they are. @param limit how many unknown keys one network may ask for in a minute; 0 turns that off */
export type OpenKeyHolders = (database: Database, changes: Changes, rightsOf: RightsOf, limit: number) => KeyHolders

const nobody: KeyHolders = {
  find: () => undefined,
  findLiving: async () => new Set(),
  close: async () => {},
}

/** Where no domain keeps keys, no key is valid. */
export const keyHolders = port<OpenKeyHolders>('who calls with a key', () => nobody)

/** The sessions of people, and the keys of programs. */
export const callersHere: OpenCallers = (database, changes, { unknownKeyLimit }) => {
  const scopeOf = (tenantId: TenantId) => openScope(database, tenantId)
  const sightings = openSightings()
  const rightsOf = rememberRights(changes, scopeOf)
  const keys = keyHolders.get()(database, changes, rightsOf, unknownKeyLimit)
  return {
    findUser: rememberUsers(changes, scopeOf, rightsOf, sightings),
    findKeyHolder: keys.find,
    findLiving: (tenantId, users) => findLivingCallers(keys, scopeOf(tenantId), users),
    passwords: passwordQueue,
    jobs: [sightings.job],
    close: keys.close,
  }
}

/** Looks up which sessions and keys of these users have not ended. @returns whether that of a user has not */
export async function findLivingCallers(
  holders: KeyHolders,
  scope: Scope,
  users: readonly User[],
): Promise<(user: User) => boolean> {
  const keyIds = [...new Set(users.flatMap(({ key }) => key?.id ?? []))]
  const sessionIds = [...new Set(users.map(({ sessionId }) => sessionId))]
  const [sessions, keys] = await Promise.all([
    listLivingSessions(scope, { sessionIds }),
    keyIds.length ? holders.findLiving(scope, keyIds) : new Set(),
  ])
  const alive = new Set(sessions.map(({ id }) => id))
  return ({ key, sessionId }) => (key ? keys.has(key.id) : alive.has(sessionId))
}
