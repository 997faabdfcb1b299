import {
  faults,
  isAdministrator,
  isSameHash,
  networkOf,
  openScope,
  remembered,
  slidingWindows,
  type TenantId,
  type User,
  type WrittenKey,
} from '#atrium'
import type { OpenKeyHolders, Rights } from '#atrium/auth'
import { findHolder, listLivingKeys } from './keys.store.ts'
import { noteKeyUses } from './uses.ts'

/** A key that was looked up, and its service account. */
interface Holder extends Omit<NonNullable<Awaited<ReturnType<typeof findHolder>>>, 'id' | 'endsIn'> {
  tenantId: TenantId
  keyId: number
  /** on the monotonic clock */
  endsAt: number
  /** built from the rights that were read last */
  built: { user: User; from: Rights } | undefined
}

const MOST_HOLDERS = 65_536
const MOST_NETWORKS = 10_000

/**
 * Caches the holders of keys until the key ends or the account, its roles or their permissions change. A key is found by
 * its prefix; the hash of the whole is then compared in constant time, also if there is no such key. Each unknown key
 * costs a look-up, so one network may ask for only so many.
 */
export const rememberKeys: OpenKeyHolders = (database, changes, rightsOf, limit) => {
  const uses = noteKeyUses(database)
  const asked = slidingWindows(MOST_NETWORKS)
  const unknown = { name: 'unknown-key', most: limit, windowMs: 60_000 }
  const holders = remembered(changes, {
    most: MOST_HOLDERS,
    load: (_prefix: string, hint: { key: WrittenKey; ip: string }) => look(hint.key, networkOf(hint.ip)),
    isStale: ({ userId, endsAt }, since) => endsAt <= performance.now() || changes.isChanged('user', userId, since),
  })

  async function look({ tenantId, prefix }: WrittenKey, network: string): Promise<Holder | undefined> {
    if (limit > 0 && !asked.look(unknown, network).isOpen)
      throw faults.rateLimited([], { 'retry-after': '60' }, unknown.name)
    const askedAt = performance.now()
    const found = await findHolder(openScope(database, tenantId), { prefix })
    if (!found) {
      if (limit > 0) asked.take(unknown, network)
      return undefined
    }
    const { id: keyId, endsIn, ...holder } = found
    return { tenantId, keyId, ...holder, endsAt: endsIn === null ? Infinity : askedAt + endsIn, built: undefined }
  }

  function admit(holder: Holder | undefined, { hash }: WrittenKey): User | undefined | Promise<User> {
    if (!isSameHash(holder?.keyHash ?? NO_HASH, hash) || !holder) return undefined
    uses.note(holder.tenantId, holder.keyId)
    const rights = rightsOf(holder)
    return rights instanceof Promise ? rights.then((read) => userOf(holder, read)) : userOf(holder, rights)
  }

  return {
    find(key, ip): User | undefined | Promise<User | undefined> {
      const holder = holders.get(key.prefix, { key, ip })
      return holder instanceof Promise ? holder.then((found) => admit(found, key)) : admit(holder, key)
    },
    async findLiving(scope, ids) {
      return new Set((await listLivingKeys(scope, { ids: [...ids] })).map(({ id }) => id))
    },
    close: uses.close,
  }
}

/** As long as a hash, and none. */
const NO_HASH = '-'.repeat(43)

function userOf(holder: Holder, rights: Rights): User {
  if (holder.built?.from === rights) return holder.built.user
  const { userId, tenantId, username, nickname, keyId, prefix, permissions } = holder
  const given = permissions === null ? rights : narrow(rights, permissions)
  const user: User = {
    kind: 'user',
    id: userId,
    tenantId,
    sessionId: 0,
    key: { id: keyId, prefix, permissions },
    username,
    nickname,
    email: null,
    selfRegistered: false,
    hasSecondFactor: false,
    duty: undefined,
    roles: given.roles,
    permissions: given.permissions,
    isAdministrator: isAdministrator(given.roles),
    isSystemAdministrator: false,
  }
  holder.built = { user, from: rights }
  return user
}

/** What a narrowed key gives: permissions alone, and no role that anything else would follow from. */
function narrow({ permissions }: Rights, to: readonly string[]): Pick<Rights, 'roles' | 'permissions'> {
  return { roles: [], permissions: new Set([...permissions].filter((permission) => to.includes(permission))) }
}
