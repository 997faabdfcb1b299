import { columnsOf, directory, only, type PartOf } from '#atrium'
import { permissionFaults } from './roles.rules.ts'

const columns = columnsOf('permissions', ['id', 'code', 'name', 'description', 'createdAt'])
const changeable = ['code', 'name', 'description'] as const

export const listPermissions = directory.list((from, _: object) =>
  from('permissions').select(columns).orderBy('permissions.id'),
)

export const lockPermission = directory
  .lock((from, p: { id: number }) => from('permissions').select(columns).where('permissions.id', '=', p.id).forUpdate())
  .or(permissionFaults.notFound)

export const insertPermission = directory.writeReturning(
  (db, p: PartOf<'permissions', (typeof changeable)[number]>) =>
    db.insertInto('permissions').values(p).returning(columns),
  { announces: 'permissions', conflicts: { permissions_code_taken: permissionFaults.codeTaken } },
)

export const savePermission = directory.write(
  (db, p: PartOf<'permissions', 'id' | (typeof changeable)[number]>) =>
    db.updateTable('permissions').set(only(p, changeable)).where('permissions.id', '=', p.id),
  { announces: 'permissions', conflicts: { permissions_code_taken: permissionFaults.codeTaken } },
)

export const removePermission = directory.write(
  (db, p: { id: number }) => db.deleteFrom('permissions').where('permissions.id', '=', p.id),
  { announces: 'permissions', conflicts: { role_permissions_permission: permissionFaults.inUse } },
)
