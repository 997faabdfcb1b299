import {
  columnsOf,
  directory,
  type FromShared,
  fault,
  notFound,
  only,
  type PartOf,
  paginateShared,
  type Scope,
  sql,
} from '#atrium'

export const tenantFaults = {
  notFound: notFound('Tenant'),
  codeTaken: fault('TENANT_CODE_TAKEN', 409, 'This tenant code is taken'),
  closing: fault('TENANT_CLOSING', 409, 'This tenant is closing; reopen it first'),
  erasing: fault('TENANT_ERASING', 409, 'The erasure of this tenant has begun'),
  incomplete: fault('TENANT_INCOMPLETE', 409, 'The import of this tenant was broken off; repeat the import'),
  notClosing: fault('TENANT_NOT_CLOSING', 409, 'This tenant is not closing'),
  reserved: fault('RESERVED', 409, 'The first tenant can be neither disabled nor given an expiry'),
}

const columns = columnsOf('tenants', [
  ...(['id', 'name', 'code', 'status', 'plan', 'expiredAt', 'registration', 'createdAt', 'eraseAt'] as const),
])
const changeable = ['name', 'status', 'plan', 'expiredAt', 'registration'] as const

export const findTenant = directory.find((from, p: { id: number }) =>
  from('tenants').select(columns).select('tenants.contentVersion').where('tenants.id', '=', p.id),
)

export const findTenantByCode = directory.find((from, p: { code: string }) =>
  from('tenants').select(columns).select('tenants.contentVersion').where('tenants.code', '=', p.code),
)

export const getTenantView = directory
  .find((from, p: { id: number }) => from('tenants').select(columns).where('tenants.id', '=', p.id))
  .or(tenantFaults.notFound)

export const lockTenant = directory
  .lock((from, p: { id: number }) => from('tenants').select(columns).where('tenants.id', '=', p.id).forUpdate())
  .or(tenantFaults.notFound)

/** Keeps registration unchanged until this transaction ends: closing it waits for registrations in progress. */
export const shareLockDoor = directory.lock((from, p: { id: number }) =>
  from('tenants').select('tenants.registration').where('tenants.id', '=', p.id).forKeyShare(),
)

export const listTenants = paginateShared((from, _: object) => from('tenants').select(columns), 'tenants.id')

export const insertTenant = directory.writeReturning(
  (db, p: PartOf<'tenants', 'id' | 'name' | 'code' | 'plan' | 'expiredAt' | 'registration'>) =>
    db.insertInto('tenants').values(p).returning(columns),
  { announces: (p) => ({ tenant: p.id }), conflicts: { tenants_code_taken: tenantFaults.codeTaken } },
)

const nextVersion = sql<number>`tenants.settings_version + 1`

export const saveTenant = directory.write(
  (db, p: PartOf<'tenants', 'id' | (typeof changeable)[number]>) =>
    db
      .updateTable('tenants')
      .set({ ...only(p, changeable), settingsVersion: nextVersion })
      .where('tenants.id', '=', p.id),
  { announces: (p) => ({ tenant: p.id }) },
)

/** From now on everything of it is to be erased at a time, unless it is reopened. */
export const saveClosing = directory.write(
  (db, p: PartOf<'tenants', 'id'> & { eraseAt: string }) =>
    db
      .updateTable('tenants')
      .set({
        status: 'closing',
        statusBefore: sql<'active'>`tenants.status`,
        eraseAt: p.eraseAt,
        settingsVersion: nextVersion,
      })
      .where('tenants.id', '=', p.id),
  { announces: (p) => ({ tenant: p.id }) },
)

/** It is again what it was before it was closed. */
export const saveReopened = directory.writeReturning(
  (db, p: PartOf<'tenants', 'id'>) =>
    db
      .updateTable('tenants')
      .set({
        status: sql<'active'>`tenants.status_before`,
        statusBefore: null,
        eraseAt: null,
        settingsVersion: nextVersion,
      })
      .where('tenants.id', '=', p.id)
      .returning(columns),
  { announces: (p) => ({ tenant: p.id }) },
)

/** The tenants whose time to be erased has come. */
export const listDueForErasure = directory.list((from, p: { most: number }) =>
  from('tenants')
    .select(['tenants.id', 'tenants.code'])
    .where('tenants.status', '=', 'closing')
    .where('tenants.eraseAt', '<=', sql<string>`clock_timestamp()`)
    .orderBy('tenants.id')
    .limit(p.most),
)

const ofPeople = [
  'locale',
  'timeZone',
  'secondFactor',
  'firstPassword',
  'passwordMinLength',
  'sessionDays',
  'sessionsSince',
  'invitationDays',
] as const
const policy = columnsOf('tenants', ofPeople)
const own = ['registration', ...ofPeople] as const

/** What a tenant has set for its people. */
export const getPolicy = directory
  .find((from, p: { id: number }) => from('tenants').select(policy).where('tenants.id', '=', p.id))
  .or(tenantFaults.notFound)

const settings = (from: FromShared, p: { id: number }) =>
  from('tenants')
    .select(policy)
    .select(['tenants.registration', 'tenants.plan', 'tenants.expiredAt', 'tenants.settingsVersion as version'])
    .where('tenants.id', '=', p.id)

const getPlan = directory
  .find((from, p: { id: number }) => from('tenants').select('tenants.plan').where('tenants.id', '=', p.id))
  .or(tenantFaults.notFound)

/** The plan that the operator has given a tenant. */
export async function planOf(scope: Scope): Promise<string> {
  return (await getPlan(scope, { id: scope.tenantId })).plan
}

/** The settings of a tenant for its administrators. */
export const getSettings = directory.find(settings).or(tenantFaults.notFound)

export const lockSettings = directory
  .lock((from, p: { id: number }) => settings(from, p).forUpdate())
  .or(tenantFaults.notFound)

export const saveSettings = directory.write(
  (db, p: PartOf<'tenants', 'id' | (typeof own)[number]>) =>
    db
      .updateTable('tenants')
      .set({ ...only(p, own), settingsVersion: nextVersion })
      .where('tenants.id', '=', p.id),
  { announces: (p) => ({ tenant: p.id }) },
)

/** The active tenants that will expire within `days`. */
export const listExpiring = directory.list((from, p: { days: number }) =>
  from('tenants')
    .select(['tenants.id', 'tenants.expiredAt'])
    .where('tenants.status', '=', 'active')
    .where('tenants.expiredAt', '>', sql<string>`clock_timestamp()`)
    .where('tenants.expiredAt', '<=', sql<string>`clock_timestamp() + make_interval(days => ${p.days}::int)`)
    .orderBy('tenants.id'),
)

/** The tenants that are open now, with their time zones. */
export const listOpenTenants = directory.list((from, _: object) =>
  from('tenants')
    .select(['tenants.id', 'tenants.timeZone'])
    .where('tenants.status', '=', 'active')
    .where((eb) =>
      eb.or([eb('tenants.expiredAt', 'is', null), eb('tenants.expiredAt', '>', sql<string>`clock_timestamp()`)]),
    )
    .orderBy('tenants.id'),
)
