import { assertUnchanged, type Expected, givenOf, port, type Scope, type Tx, type User } from '#atrium'
import { nameToKeep } from './menu-names.ts'
import { assertEmpty, assertMayHang, growMenus, menuOf, menuState, ROOT } from './menus.rules.ts'
import type { MenuDraft, MenuPatch, MenuView } from './menus.schemas.ts'
import { insertMenu, listMenus, lockMenus, removeMenu, saveMenu } from './menus.store.ts'

/** Who sees which menu. Menus do not know roles; the domain of roles provides it. */
export interface MenuAudience {
  /** ids of the menus that the roles of somebody show; without a role, none */
  listSeenBy(scope: Scope, user: Pick<User, 'id' | 'roles'>): Promise<number[]>
  /** the role `admin`, which sees every menu; `show` adds a new one to it */
  findAdmin(tx: Tx): Promise<{ show(menuId: number): void }>
}
export const menuAudience = port<MenuAudience>('who sees which menu')

/** Creates a menu and shows it to `admin`, which sees every menu. @throws NOT_FOUND (parent) */
export async function createMenu(tx: Tx, draft: MenuDraft): Promise<MenuView> {
  const [, admin, rows] = await tx.inOrder([lockMenus(tx, {}), menuAudience.get().findAdmin(tx), listMenus(tx, {})])
  const { parentId, path = null, component = null, icon = null, permission = null, ...rest } = draft
  assertMayHang(rows, undefined, parentId ?? ROOT)
  const menu = (await insertMenu(tx, { ...rest, path, component, icon, permission, parentId: parentId || null }))
    .rows[0]!
  admin.show(menu.id)
  return { ...menu, children: [] }
}

/** Changes a menu, or moves it with its descendants. @throws NOT_FOUND (menu, parent), MENU_CYCLE */
export async function updateMenu(tx: Tx, id: number, patch: MenuPatch, { ifMatch }: Expected = {}): Promise<MenuView> {
  const rows = await lockAll(tx)
  const menu = menuOf(rows, id)
  const { parentId = menu.parentId, ...fields } = patch
  const changed = { ...menu, ...givenOf(fields), name: nameToKeep(menu, patch.name), parentId: parentId ?? ROOT }
  assertMayHang(rows, id, changed.parentId)
  assertUnchanged(menuState(menu), ifMatch)
  saveMenu(tx, { ...changed, parentId: changed.parentId || null })
  return { ...changed, children: growMenus(rows, id) }
}

/** Deletes a menu without children, in all tenants' roles too. @throws NOT_FOUND, MENU_NOT_EMPTY */
export async function deleteMenu(tx: Tx, id: number, { ifMatch }: Expected = {}): Promise<void> {
  const rows = await lockAll(tx)
  const menu = menuOf(rows, id)
  assertEmpty(rows, id)
  assertUnchanged(menuState(menu), ifMatch)
  removeMenu(tx, { id })
}

async function lockAll(tx: Tx) {
  const [, rows] = await tx.inOrder([lockMenus(tx, {}), listMenus(tx, {})])
  return rows
}
