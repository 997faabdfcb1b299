/** What other domains may use. */
export { type MenuAudience, menuAudience } from './menus.actions.ts'
export { menus } from './menus.domain.ts'
export { menuFaults, menusFor } from './menus.rules.ts'
export { SEED_MENUS, writeMenus } from './menus.seed.ts'
export { listMenus } from './menus.store.ts'
