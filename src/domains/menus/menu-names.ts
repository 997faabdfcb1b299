import { type Language, texts, z } from '#atrium'
import type { MenuRow, MenuView } from './menus.schemas.ts'

/** The names of the initial menus, by `keyOf`. */
export const menuNames = texts(new URL('./texts/', import.meta.url), z.record(z.string(), z.string()))

/** Menus, named in the reader's language. A renamed menu keeps its name. */
export function menusIn(language: Language, menus: readonly MenuView[]): MenuView[] {
  return menus.map((menu) => menuIn(language, menu))
}

export function menuIn(language: Language, menu: MenuView): MenuView {
  const name = language === 'zh-CN' ? (chineseOf(menu.name) ?? menu.name) : menu.name
  return { ...menu, name, children: menusIn(language, menu.children) }
}

/** The name to store: sending back a translated name does not rename the menu. */
export function nameToKeep(menu: Pick<MenuRow, 'name'>, name: string | undefined): string {
  return name === undefined || name === chineseOf(menu.name) ? menu.name : name
}

let chinese: ReadonlyMap<string, string> | undefined
function chineseOf(name: string): string | undefined {
  chinese ??= new Map(Object.entries(menuNames('en')).map(([key, english]) => [english, menuNames('zh-CN')[key]!]))
  return chinese.get(name)
}
