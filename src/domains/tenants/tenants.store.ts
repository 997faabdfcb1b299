import { paginateShared } from '../../data/sql/paginate.ts'
import { directory } from '../../data/sql/verbs.ts'
import { fault, notFound } from '../../kernel/fault.ts'

export const tenantFaults = {
  notFound: notFound('Tenant'),
  codeTaken: fault('TENANT_CODE_TAKEN', 409, 'This tenant code is taken'),
  reserved: fault('RESERVED', 409, 'The first tenant can be neither disabled nor expired'),
}

const columns = [
  'tenants.id',
  'tenants.name',
  'tenants.code',
  'tenants.status',
  'tenants.plan',
  'tenants.expiredAt',
  'tenants.createdAt',
] as const

export const findTenant = directory.find((from, p: { id: number }) =>
  from('tenants').select(columns).select('tenants.contentVersion').where('tenants.id', '=', p.id),
)

export const findTenantByCode = directory.find((from, p: { code: string }) =>
  from('tenants').select(columns).select('tenants.contentVersion').where('tenants.code', '=', p.code),
)

export const lockTenant = directory.lock((from, p: { id: number }) =>
  from('tenants').select(columns).where('tenants.id', '=', p.id).forUpdate(),
)

export const listTenants = paginateShared((from, _: object) => from('tenants').select(columns), 'tenants.id')

export const insertTenant = directory.writeReturning(
  (db, p: { id: number; name: string; code: string; plan: string; expiredAt: string | null }) =>
    db.insertInto('tenants').values(p).returning(columns),
  { announces: 'tenants', conflicts: { tenants_code_taken: tenantFaults.codeTaken } },
)

export const saveTenant = directory.write(
  (db, p: { id: number; name: string; status: 'active' | 'disabled'; plan: string; expiredAt: string | null }) =>
    db
      .updateTable('tenants')
      .set({ name: p.name, status: p.status, plan: p.plan, expiredAt: p.expiredAt })
      .where('tenants.id', '=', p.id),
  { announces: 'tenants' },
)
