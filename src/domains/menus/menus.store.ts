import { sql } from 'kysely'
import { directory } from '../../data/sql/verbs.ts'
import type { MenuRow } from './menus.schemas.ts'

const columns = [
  'menus.id',
  'menus.name',
  'menus.path',
  'menus.component',
  'menus.icon',
  'menus.sort',
  'menus.visible',
  'menus.permission',
  'menus.type',
] as const
const parent = sql<number>`coalesce(parent_id, 0)`.as('parentId')

/** All menus; they are few, and shared by all tenants. */
export const listMenus = directory.list((from, _: object) =>
  from('menus').select(columns).select(parent).orderBy('menus.sort').orderBy('menus.id'),
)

/** The structure of the menus changes one change at a time: each holds all of them, so no two can close a cycle. */
export const lockMenus = directory.lockAll((from, _: object) =>
  from('menus').select('menus.id').orderBy('menus.id').forUpdate(),
)

export const insertMenu = directory.writeReturning(
  (db, p: Omit<MenuRow, 'id' | 'parentId'> & { parentId: number | null }) =>
    db.insertInto('menus').values(p).returning(columns).returning(parent),
)

export const saveMenu = directory.write((db, p: Omit<MenuRow, 'parentId'> & { parentId: number | null }) =>
  db
    .updateTable('menus')
    .set({
      parentId: p.parentId,
      name: p.name,
      path: p.path,
      component: p.component,
      icon: p.icon,
      sort: p.sort,
      visible: p.visible,
      permission: p.permission,
      type: p.type,
    })
    .where('menus.id', '=', p.id),
)

export const removeMenu = directory.write((db, p: { id: number }) =>
  db.deleteFrom('menus').where('menus.id', '=', p.id),
)
