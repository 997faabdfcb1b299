import { columnsOf, directory, except, only, type RowOf, sql } from '#atrium'

const names = ['id', 'name', 'path', 'component', 'icon', 'sort', 'visible', 'permission', 'type'] as const
const columns = columnsOf('menus', names)
const changeable = ['parentId', ...except(names, ['id'])] as const
const parent = sql<number>`coalesce(parent_id, 0)`.as('parentId')

/** All menus; they are few, and all tenants share them. */
export const listMenus = directory.list((from, _: object) =>
  from('menus').select(columns).select(parent).orderBy('menus.sort').orderBy('menus.id'),
)

/** Every change of the menus' structure locks all menus, so no two can form a cycle. */
export const lockMenus = directory.lockAll((from, _: object) =>
  from('menus').select('menus.id').orderBy('menus.id').forUpdate(),
)

export const insertMenu = directory.writeReturning((db, p: RowOf<'menus', 'id'>) =>
  db.insertInto('menus').values(p).returning(columns).returning(parent),
)

export const saveMenu = directory.write((db, p: RowOf<'menus'>) =>
  db.updateTable('menus').set(only(p, changeable)).where('menus.id', '=', p.id),
)

export const removeMenu = directory.write((db, p: { id: number }) =>
  db.deleteFrom('menus').where('menus.id', '=', p.id),
)
