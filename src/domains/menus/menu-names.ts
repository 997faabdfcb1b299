import { type Language, texts, z } from '#atrium'
import type { MenuRow, MenuView } from './menus.schemas.ts'

/** The names of the menus that are there from the start, by `keyOf`. */
export const menuNames = texts(new URL('./texts/', import.meta.url), z.record(z.string(), z.string()))

/** Menus as their reader calls them. A menu that somebody has renamed keeps that name. */
export function menusIn(language: Language, menus: readonly MenuView[]): MenuView[] {
  return menus.map((menu) => menuIn(language, menu))
}

export function menuIn(language: Language, menu: MenuView): MenuView {
  const name = language === 'zh-CN' ? (chineseOf(menu.name) ?? menu.name) : menu.name
  return { ...menu, name, children: menusIn(language, menu.children) }
}

/** The name to store: someone who sends back the name that they read has not renamed the menu. */
export function nameToKeep(menu: Pick<MenuRow, 'name'>, name: string | undefined): string {
  return name === undefined || name === chineseOf(menu.name) ? menu.name : name
}

let chinese: ReadonlyMap<string, string> | undefined
function chineseOf(name: string): string | undefined {
  chinese ??= new Map(Object.entries(menuNames('en')).map(([key, english]) => [english, menuNames('zh-CN')[key]!]))
  return chinese.get(name)
}
