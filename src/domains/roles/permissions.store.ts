import { directory } from '../../data/sql/verbs.ts'
import { permissionFaults } from './permissions.rules.ts'

const columns = [
  'permissions.id',
  'permissions.code',
  'permissions.name',
  'permissions.description',
  'permissions.createdAt',
] as const

export const listCatalogue = directory.list((from, _: object) =>
  from('permissions').select(columns).orderBy('permissions.id'),
)

export const listPermissions = directory.list((from, _: object) =>
  from('permissions').select(['permissions.id', 'permissions.code']).orderBy('permissions.id'),
)

export const lockPermission = directory.lock((from, p: { id: number }) =>
  from('permissions').select(columns).where('permissions.id', '=', p.id).forUpdate(),
)

export const insertPermission = directory.writeReturning(
  (db, p: { code: string; name: string; description: string | null }) =>
    db.insertInto('permissions').values(p).returning(columns),
  { announces: 'rights', conflicts: { permissions_code_taken: permissionFaults.codeTaken } },
)

export const savePermission = directory.write(
  (db, p: { id: number; code: string; name: string; description: string | null }) =>
    db
      .updateTable('permissions')
      .set({ code: p.code, name: p.name, description: p.description })
      .where('permissions.id', '=', p.id),
  { announces: 'rights', conflicts: { permissions_code_taken: permissionFaults.codeTaken } },
)

export const removePermission = directory.write(
  (db, p: { id: number }) => db.deleteFrom('permissions').where('permissions.id', '=', p.id),
  { announces: 'rights', conflicts: { role_permissions_permission: permissionFaults.inUse } },
)
