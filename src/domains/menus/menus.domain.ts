import { domain } from '#atrium'
import { menuRoutes } from './menus.routes.ts'

const words = {
  permissions: {
    'menu:list': ['tenant-admin'],
    'menu:create': [],
    'menu:update': [],
    'menu:delete': [],
  },
  sentences: {
    'Menu not found': '菜单不存在',
    'Parent menu not found': '上级菜单不存在',
    'A menu cannot lie below itself': '菜单不能移动到自身或其下级之下',
    'The menu still has menus below it': '该菜单下仍有子菜单',
    'menu {id} lies below it': '菜单 {id} 是其子菜单',
    'lies below this menu': '是该菜单的下级',
  },
} as const

declare module '#atrium' {
  interface Domains {
    menus: typeof words
  }
}

export const menus = domain({
  name: 'menus',
  ...words,
  tags: {
    menus: { description: 'The menus of the admin client.', paths: ['/menus'] },
  },
  routes: menuRoutes,
})
