import { cold, columnsOf, countUpTo, type From, find, list, onKey, sql, write } from '#atrium'
import { livingPeople, nameOf, personOf } from '#atrium/people'
import { everyRole, holdings, roleCodesOf, roleIdsHeld } from '#atrium/roles'
import { MOST_MEMBERS } from './scim.schemas.ts'

/** Beyond this many, nothing is counted. */
const MOST_COUNTED = 1_000_000

export interface PersonFilter {
  id?: number
  externalId?: string
  status?: 'active' | 'disabled'
}

const people = (from: From, p: PersonFilter) =>
  livingPeople(from)
    .leftJoin('scimUsers', onKey('scimUsers.userId', 'users.id'))
    .$if(p.id !== undefined, (query) => query.where('users.id', '=', p.id!))
    .$if(p.externalId !== undefined, (query) => query.where('scimUsers.externalId', '=', p.externalId!))
    .$if(p.status !== undefined, (query) => query.where('users.status', '=', p.status!))

const extraColumns = ['externalId', 'givenName', 'familyName', 'emailType', 'phoneType'] as const

const personColumns = [
  ...columnsOf('users', [
    'id',
    'username',
    'nickname',
    'email',
    'phone',
    'realName',
    'status',
    'createdAt',
    'updatedAt',
  ]),
  ...columnsOf('scimUsers', extraColumns),
] as const

const persons = (from: From, p: PersonFilter) =>
  people(from, p)
    .select(personColumns)
    .select([roleIdsHeld(from).as('roleIds'), roleCodesOf(from).as('roleCodes')])

export const findPerson = find((from, p: { id: number }) => persons(from, p))

export const listPeople = list((from, p: PersonFilter & { limit: number; offset: number }) =>
  persons(from, p).orderBy('users.id').limit(p.limit).offset(p.offset),
)

export const countPeople = find((from, p: PersonFilter) =>
  cold.selectNoFrom(countUpTo(MOST_COUNTED, people(from, p)).as('total')),
)

export const saveScimUser = write(
  ({ insert }, { userId, ...extras }: { userId: number } & Record<(typeof extraColumns)[number], string | null>) =>
    insert('scimUsers', { userId, ...extras }).onConflict((conflict) =>
      conflict.columns(['tenantId', 'userId']).doUpdateSet(extras),
    ),
)

/** What a directory has said of a person goes with the person. */
export const removeScimUser = write(({ remove }, p: { userId: number }) =>
  remove('scimUsers').where('scimUsers.userId', '=', p.userId),
)

export interface GroupFilter {
  id?: number
  externalId?: string
  name?: string
  memberId?: number
}

const groups = (from: From, p: GroupFilter) =>
  everyRole(from)
    .leftJoin('scimGroups', onKey('scimGroups.roleId', 'roles.id'))
    .$if(p.id !== undefined, (query) => query.where('roles.id', '=', p.id!))
    .$if(p.externalId !== undefined, (query) => query.where('scimGroups.externalId', '=', p.externalId!))
    .$if(p.name !== undefined, (query) => query.where(sql<boolean>`lower(roles.name) = lower(${p.name!})`))
    .$if(p.memberId !== undefined, (query) =>
      query.where(
        'roles.id',
        'in',
        holdings(from).select('userRoles.roleId').where('userRoles.userId', '=', p.memberId!),
      ),
    )

const groupColumns = [
  ...columnsOf('roles', ['id', 'code', 'name', 'createdAt', 'updatedAt']),
  ...columnsOf('scimGroups', ['externalId']),
] as const

export const findGroup = find((from, p: { id: number }) => groups(from, p).select(groupColumns))

/** Another group of this name that a directory has made. */
export const findNamesake = find((from, p: { name: string; otherThan: number }) =>
  groups(from, { name: p.name })
    .select('roles.id')
    .where('scimGroups.roleId', 'is not', null)
    .where('roles.id', '!=', p.otherThan)
    .limit(sql.lit(1)),
)

export const listGroups = list((from, p: GroupFilter & { limit: number; offset: number }) =>
  groups(from, p).select(groupColumns).orderBy('roles.id').limit(p.limit).offset(p.offset),
)

export const countGroups = find((from, p: GroupFilter) =>
  cold.selectNoFrom(countUpTo(MOST_COUNTED, groups(from, p)).as('total')),
)

/** The people who hold these roles. */
export const listMembers = list((from, p: { roleIds: readonly number[] }) =>
  holdings(from)
    .innerJoin('users', personOf('userRoles.userId'))
    .select(['userRoles.roleId', 'users.id', nameOf.as('name')])
    .where('userRoles.roleId', '=', sql<number>`any(${p.roleIds}::bigint[])`)
    .where('users.deletedAt', 'is', null)
    .where('users.isService', 'is', false)
    .orderBy('userRoles.roleId')
    .orderBy('users.id')
    .limit(sql.lit(MOST_MEMBERS + 1)),
)

export const saveScimGroup = write(({ insert }, p: { roleId: number; externalId: string | null }) =>
  insert('scimGroups', p).onConflict((conflict) =>
    conflict.columns(['tenantId', 'roleId']).doUpdateSet({ externalId: p.externalId }),
  ),
)
