import { fail, fault, isOfTheSystem, notFound, type Permission, type User } from '#atrium'
import type { MenuRow, MenuView } from './menus.schemas.ts'

export const menuFaults = {
  notFound: notFound('Menu'),
  parentNotFound: notFound('Parent menu'),
  cycle: fault('MENU_CYCLE', 409, 'A menu cannot lie below itself'),
  notEmpty: fault('MENU_NOT_EMPTY', 409, 'The menu still has menus below it'),
}

/** What the form of a menu shows. */
export function menuState(row: MenuRow): object {
  const { parentId, name, path, component, icon, sort, visible, permission, type } = row
  return { parentId, name, path, component, icon, sort, visible, permission, type }
}

/** The menu of this id, of all that there are. @throws NOT_FOUND */
export function menuOf(rows: readonly MenuRow[], id: number): MenuRow {
  return rows.find((row) => row.id === id) ?? fail(menuFaults.notFound())
}

export const ROOT = 0

/** The rows as a forest, each level in the order of the rows. */
export function growMenus(rows: readonly MenuRow[], root = ROOT): MenuView[] {
  const below = Map.groupBy(rows, ({ parentId }) => parentId)
  const grow = (id: number): MenuView[] => (below.get(id) ?? []).map((row) => ({ ...row, children: grow(row.id) }))
  return grow(root)
}

/** The menus of these ids, and those on the way to them: what is granted can be reached. */
export function reachable(rows: readonly MenuRow[], ids: ReadonlySet<number>): MenuRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const kept = new Set<number>()
  for (const id of ids)
    for (let row = byId.get(id); row && !kept.has(row.id); row = byId.get(row.parentId)) kept.add(row.id)
  return rows.filter(({ id }) => kept.has(id))
}

/**
 * Of the menus that somebody's roles see, those they may enter: a page, a button, each with the pages it lies in, whose
 * permission they hold; one of the system only as an administrator of it. Directories are the way there: they come along,
 * and one that nothing is left of does not.
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

/** The menus that permissions open; one that demands none is open to everybody. */
export function menusFor(rows: readonly MenuRow[], permissions: readonly string[]): MenuRow[] {
  return rows.filter(({ permission }) => permission === null || permissions.includes(permission))
}

/** A menu may hang below any other but itself and those below it. @throws NOT_FOUND, MENU_CYCLE */
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

/** A menu goes only with nothing below it; the answer says what there is. @throws MENU_NOT_EMPTY */
export function assertEmpty(rows: readonly Pick<MenuRow, 'id' | 'parentId'>[], id: number): void {
  const children = rows.filter(({ parentId }) => parentId === id)
  if (children.length)
    throw menuFaults.notEmpty(
      children.map((child) => ({ path: 'children', id: child.id, message: 'menu {id} lies below it' })),
    )
}
