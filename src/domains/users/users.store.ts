import { anyLike, type From, find, paginateOrSearch, port, type RowOf, sql } from '#atrium'
import { lastSignInOf } from '#atrium/auth'
import { living, livingPeople, localeOf, peopleFaults, services, userColumns } from '#atrium/people'
import { holdersOfRole, roleCodesOf } from '#atrium/roles'
import type { SubstituteView } from './users.schemas.ts'

/** The substitute of a person, in a query over `users`. */
type SubstituteOf = (from: From) => ReturnType<typeof sql<SubstituteView | null>>
export const substituteOf = port<SubstituteOf>('the substitute of a person', () => sql`null::json`)

const withRoles = (users: ReturnType<typeof living>, from: From) =>
  users.select(userColumns).select([roleCodesOf(from).as('roles'), lastSignInOf(from).as('lastSignInAt')])

export const getUser = find((from, p: { id: number }) =>
  withRoles(livingPeople(from), from).where('users.id', '=', p.id),
).or(peopleFaults.notFound)

/** The same for a service account. */
export const getServiceUser = find((from, p: { id: number }) =>
  withRoles(services(from), from).where('users.id', '=', p.id),
).or(peopleFaults.notFound)

/** Either of them. */
export const getAccount = find((from, p: { id: number }) =>
  withRoles(living(from), from).where('users.id', '=', p.id),
).or(peopleFaults.notFound)

/** A person or service account as they see themselves. */
export const getProfile = find((from, p: { id: number }) =>
  withRoles(living(from), from)
    .select([
      localeOf.as('locale'),
      'users.timeZone',
      sql<'at_once' | 'daily' | 'never'>`users.mail`.as('mail'),
      sql<boolean>`users.email_verified_at is not null`.as('emailVerified'),
      sql<boolean>`users.second_factor_at is not null`.as('secondFactor'),
      'users.mustChangePassword',
    ])
    .select(substituteOf.get()(from).as('substitute'))
    .select(sql<string | null>`users.tenant_id || '/' || users.avatar`.as('avatarKey'))
    .where('users.id', '=', p.id),
).or(peopleFaults.notFound)

export const listUsers = paginateOrSearch(
  (from, _: object) => livingPeople(from).select(userColumns),
  (found, p: { pattern?: string; status?: RowOf<'users'>['status']; roleId?: number }, from) =>
    found
      .select([roleCodesOf(from).as('roles'), lastSignInOf(from).as('lastSignInAt')])
      .$if(p.roleId !== undefined, (query) => query.where('users.id', 'in', holdersOfRole(from, p.roleId!)))
      .$if(p.status !== undefined, (query) => query.where('users.status', '=', p.status!))
      .$if(p.pattern !== undefined, (query) =>
        query.where(anyLike(p.pattern!, ['users.username', 'users.nickname', 'users.email', 'users.realName'])),
      ),
  'users',
  { filters: ['status', 'pattern', 'roleId'], costly: ['pattern'], sorts: { username: 'users.username' } },
)
