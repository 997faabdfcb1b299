import {
  type Changes,
  isAdministrator,
  isSystemAdministrator,
  type Permission,
  remembered,
  type Scope,
  type TenantId,
  type User,
} from '#atrium'
import { findRights } from '#atrium/roles'
import { findPrincipal } from './auth.store.ts'

interface Session {
  tenantId: TenantId
  sessionId: number
  userId: number
}

/** The user of a session, and their roles. */
interface Principal extends Session {
  username: string
  nickname: string | null
  email: string | null
  selfRegistered: boolean
  hasSecondFactor: boolean
  roleIds: number[]
  holdsOffice: boolean
  /** on the monotonic clock */
  endsAt: number
  /** built from the rights that were read last */
  user: User | undefined
}

/** The combined permissions of some of a tenant's roles. Most people of a tenant share one of these. */
interface Rights {
  tenantId: TenantId
  roles: string[]
  permissions: ReadonlySet<Permission>
}

const MOST_PRINCIPALS = 65_536
const MOST_RIGHTS = 10_000

/**
 * Caches the users of sessions until the session ends or the user, their roles or the roles' permissions change. People
 * and rights are cached separately, so a changed role is read once, not once for each holder.
 */
export function rememberUsers(changes: Changes, scopeOf: (tenantId: TenantId) => Scope) {
  const principals = remembered(changes, {
    most: MOST_PRINCIPALS,
    load: (_sessionId: number, session: Session) => loadPrincipal(scopeOf(session.tenantId), session),
    isStale: ({ sessionId, userId, endsAt }, since) =>
      endsAt <= performance.now() ||
      changes.isChanged('session', sessionId, since) ||
      changes.isChanged('user', userId, since),
  })
  const rights = remembered(changes, {
    most: MOST_RIGHTS,
    load: (_key: string, { tenantId, roleIds }: Principal) => loadRights(scopeOf(tenantId), roleIds),
    isStale: ({ tenantId }, since) =>
      changes.isChanged('roles', tenantId, since) || changes.isChanged('permissions', 0, since),
  })

  function withRights(principal: Principal | undefined): User | undefined | Promise<User> {
    if (!principal) return undefined
    const held = rights.get(`${principal.tenantId}:${principal.roleIds}`, principal)
    return held instanceof Promise ? held.then((loaded) => userOf(principal, loaded)) : userOf(principal, held)
  }

  return (session: Session): User | undefined | Promise<User | undefined> => {
    const principal = principals.get(session.sessionId, session)
    return principal instanceof Promise ? principal.then(withRights) : withRights(principal)
  }
}

async function loadPrincipal(scope: Scope, { sessionId, userId }: Session): Promise<Principal | undefined> {
  const askedAt = performance.now()
  const found = await findPrincipal(scope, { sessionId, userId })
  if (!found) return undefined
  const { endsIn, ...person } = found
  return { tenantId: scope.tenantId, sessionId, userId, ...person, endsAt: askedAt + endsIn, user: undefined }
}

async function loadRights(scope: Scope, roleIds: number[]): Promise<Rights> {
  const { roles, permissions } = (await findRights(scope, { roleIds }))!
  return { tenantId: scope.tenantId, roles, permissions: new Set(permissions) }
}

function userOf(principal: Principal, { roles, permissions }: Rights): User {
  if (principal.user?.permissions === permissions) return principal.user
  const { tenantId, sessionId, userId, username, nickname, email, selfRegistered, hasSecondFactor, holdsOffice } =
    principal
  principal.user = {
    kind: 'user',
    id: userId,
    tenantId,
    sessionId,
    username,
    nickname,
    email,
    selfRegistered,
    hasSecondFactor,
    roles,
    permissions,
    isAdministrator: isAdministrator(roles),
    isSystemAdministrator: isSystemAdministrator({ tenantId, roles, holdsOffice }),
  }
  return principal.user
}
