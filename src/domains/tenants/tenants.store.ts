import { columnsOf, directory, fault, notFound, only, type PartOf, paginateShared } from '#atrium'

export const tenantFaults = {
  notFound: notFound('Tenant'),
  codeTaken: fault('TENANT_CODE_TAKEN', 409, 'This tenant code is taken'),
  reserved: fault('RESERVED', 409, 'The first tenant can be neither disabled nor given an expiry'),
}

const columns = columnsOf('tenants', ['id', 'name', 'code', 'status', 'plan', 'expiredAt', 'registration', 'createdAt'])
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

/** The door as it is until this transaction has ended: who closes it waits for those who are just coming in. */
export const shareLockDoor = directory.lock((from, p: { id: number }) =>
  from('tenants').select('tenants.registration').where('tenants.id', '=', p.id).forKeyShare(),
)

export const listTenants = paginateShared((from, _: object) => from('tenants').select(columns), 'tenants.id')

export const insertTenant = directory.writeReturning(
  (db, p: PartOf<'tenants', 'id' | 'name' | 'code' | 'plan' | 'expiredAt' | 'registration'>) =>
    db.insertInto('tenants').values(p).returning(columns),
  { announces: 'tenants', conflicts: { tenants_code_taken: tenantFaults.codeTaken } },
)

export const saveTenant = directory.write(
  (db, p: PartOf<'tenants', 'id' | (typeof changeable)[number]>) =>
    db.updateTable('tenants').set(only(p, changeable)).where('tenants.id', '=', p.id),
  { announces: 'tenants' },
)
