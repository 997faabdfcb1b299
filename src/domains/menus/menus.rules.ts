import { fail, fault, isOfTheSystem, notFound, type Permission, type User } from '#atrium'
import type { MenuRow, MenuView } from './menus.schemas.ts'

export const menuFaults = {
  notFound: notFound('Menu'),
  parentNotFound: notFound('Parent menu'),
  cycle: fault('MENU_CYCLE', 409, 'A menu cannot lie below itself'),
  notEmpty: fault('MENU_NOT_EMPTY', 409, 'The menu still has menus below it'),
}

/** The fields that a menu's form shows. */
export function menuState(row: MenuRow): object {
  const { parentId, name, path, component, icon, sort, visible, permission, type } = row
  return { parentId, name, path, component, icon, sort, visible, permission, type }
}

/** The menu with this id. @throws NOT_FOUND */
export function menuOf(rows: readonly MenuRow[], id: number): MenuRow {
  return rows.find((row) => row.id === id) ?? fail(menuFaults.notFound())
}

export const ROOT = 0

/** The rows as trees; each level keeps the order of the rows. */
export function growMenus(rows: readonly MenuRow[], root = ROOT): MenuView[] {
  const below = Map.groupBy(rows, ({ parentId }) => parentId)
  const grow = (id: number): MenuView[] => (below.get(id) ?? []).map((row) => ({ ...row, children: grow(row.id) }))
  return grow(root)
}

/** The menus with these ids and their ancestors, so that each can be reached. */
export function reachable(rows: readonly MenuRow[], ids: ReadonlySet<number>): MenuRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const kept = new Set<number>()
  for (const id of ids)
    for (let row = byId.get(id); row && !kept.has(row.id); row = byId.get(row.parentId)) kept.add(row.id)
  return rows.filter(({ id }) => kept.has(id))
}

/**
 * Filters the menus that a person's roles show. A page or a button stays if they hold its permission and those of the
 * pages above it. Menus of the system require a system administrator. A directory stays if something in it does.
 */
export function menusOf(
  rows: readonly MenuRow[],
  seen: ReadonlySet<number>,
  who: Pick<User, 'permissions' | 'isSystemAdministrator'>,
): MenuRow[] {
  if (who.isSystemAdministrator) return [...rows]
  const byId = new Map(rows.map((row) => [row.id, row]))
  const parents = new Set(rows.map(({ parentId }) => parentId))
  const isOpen = ({ permission }: MenuRow) =>
    permission === null || (who.permissions.has(permission as Permission) && !isOfTheSystem(permission))
  const mayEnter = (row: MenuRow | undefined): boolean =>
    !row || ((row.type === 'directory' || isOpen(row)) && mayEnter(byId.get(row.parentId)))
  const entered = rows.filter(
    (row) => seen.has(row.id) && isOpen(row) && mayEnter(row) && !(row.type === 'directory' && parents.has(row.id)),
  )
  return reachable(rows, new Set(entered.map(({ id }) => id)))
}

/** The menus that permissions open; one that requires none is open to everyone. */
export function menusFor(rows: readonly MenuRow[], permissions: readonly string[]): MenuRow[] {
  return rows.filter(({ permission }) => permission === null || permissions.includes(permission))
}

/** A menu's parent may be neither itself nor below it. @throws NOT_FOUND, MENU_CYCLE */
export function assertMayHang(
  rows: readonly Pick<MenuRow, 'id' | 'parentId'>[],
  id: number | undefined,
  parentId: number,
): void {
  const parentOf = new Map(rows.map((row) => [row.id, row.parentId]))
  if (parentId !== ROOT && !parentOf.has(parentId)) throw menuFaults.parentNotFound()
  for (let above = parentId; above !== ROOT; above = parentOf.get(above) ?? ROOT) {
    if (above === id) throw menuFaults.cycle([{ path: 'body.parentId', message: 'lies below this menu' }])
  }
}

/** Only a menu without children can be deleted; the fault lists them. @throws MENU_NOT_EMPTY */
export function assertEmpty(rows: readonly Pick<MenuRow, 'id' | 'parentId'>[], id: number): void {
  const children = rows.filter(({ parentId }) => parentId === id)
  if (children.length)
    throw menuFaults.notEmpty(
      children.map((child) => ({ path: 'children', id: child.id, message: 'menu {id} lies below it' })),
    )
}
