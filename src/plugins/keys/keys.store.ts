import { columnsOf, type From, find, list, paginate, type RowOf, sql, write, writeReturning } from '#atrium'
import { personOf, services } from '#atrium/people'
import { roleCodesOf, roleIdsHeld } from '#atrium/roles'
import { keyFaults } from './keys.rules.ts'

const isValid = sql<boolean>`(api_keys.expires_at is null or api_keys.expires_at > clock_timestamp())`

const accounts = (from: From) =>
  services(from)
    .select(['users.id', 'users.status', 'users.createdAt'])
    .select([sql<string>`coalesce(users.nickname, users.username)`.as('name'), roleCodesOf(from).as('roles')])

export const listAccounts = paginate((from, _: object) => accounts(from), 'users.id')

export const getAccount = find((from, p: { id: number }) => accounts(from).where('users.id', '=', p.id)).or(
  keyFaults.accountNotFound,
)

const columns = columnsOf('apiKeys', ['id', 'name', 'prefix', 'permissions', 'expiresAt', 'lastUsedAt', 'createdAt'])

export const listKeys = paginate(
  (from, p: { userId: number }) => from('apiKeys').select(columns).where('apiKeys.userId', '=', p.userId),
  'apiKeys.id',
)

/** Who a key stands for, if it is valid and its account active, with the remaining ms of the key; null if it does not end. */
export const findHolder = find((from, p: { prefix: string }) =>
  from('apiKeys')
    .innerJoin('users', personOf('apiKeys.userId'))
    .where('apiKeys.prefix', '=', p.prefix)
    .where('users.status', '=', 'active')
    .where(isValid)
    .select(['apiKeys.id', 'apiKeys.prefix', 'apiKeys.keyHash', 'apiKeys.permissions'])
    .select(['users.id as userId', 'users.username', 'users.nickname', roleIdsHeld(from).as('roleIds')])
    .select(
      sql<number | null>`(1000 * extract(epoch from api_keys.expires_at - clock_timestamp()))::float8`.as('endsIn'),
    ),
)

/** Of these keys, those that are still valid and whose accounts are active. */
export const listLivingKeys = list((from, p: { ids: readonly number[] }) =>
  from('apiKeys')
    .innerJoin('users', personOf('apiKeys.userId'))
    .where('users.status', '=', 'active')
    .where(isValid)
    .where('apiKeys.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select('apiKeys.id'),
)

export const insertKey = writeReturning(({ insert }, p: RowOf<'apiKeys', 'id' | 'lastUsedAt' | 'createdAt'>) =>
  insert('apiKeys', p).returning(columns),
)

export const removeKey = writeReturning(
  ({ remove }, p: { id: number; userId: number }) =>
    remove('apiKeys').where('apiKeys.id', '=', p.id).where('apiKeys.userId', '=', p.userId).returning('apiKeys.id'),
  { announces: (p) => ({ user: p.userId }) },
)

/** Several processes may have seen a key: the time is written once for all of them. */
export const noteUses = write(({ update }, p: { ids: readonly number[] }) =>
  update('apiKeys')
    .set({ lastUsedAt: sql<string>`statement_timestamp()` })
    .where('apiKeys.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where(
      sql<boolean>`(api_keys.last_used_at is null or api_keys.last_used_at < statement_timestamp() - interval '4 seconds')`,
    ),
)
