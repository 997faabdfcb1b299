import type pg from 'pg'
import type { Permission } from '#atrium'
import { menuNames } from './menu-names.ts'

export interface SeedMenu {
  type: 'directory' | 'menu' | 'button'
  path?: string
  component?: string
  icon?: string
  permission?: Permission
  children?: SeedMenu[]
}

/**
 * The menus of the admin client: pages at its addresses, buttons with a permission of their own, and directories, which
 * require a permission only if everything in them does.
 */
export const SEED_MENUS: SeedMenu[] = [
  page('/home', 'HomeOutlined'),
  page('/dashboard', 'DashboardOutlined', 'dashboard:view'),
  page('/analytics', 'BarChartOutlined', 'analytics:view'),
  directory('/enterprise', 'ProjectOutlined', undefined, [
    page('/projects', 'ProjectOutlined', 'project:list', [
      button('project:create'),
      button('project:update'),
      button('task:create'),
      button('task:update'),
    ]),
    page('/approvals', 'AuditOutlined', undefined, [button('approval:create'), button('approval:action')]),
    page('/notifications', 'BellOutlined'),
    single('/enterprise/organization', 'ApartmentOutlined', 'department:list', [button('department:manage')]),
    single('/enterprise/files', 'FolderOutlined', 'file:upload'),
    single('/enterprise/audit', 'FileSearchOutlined', 'audit:view'),
    single('/enterprise/tenants', 'BankOutlined', 'tenant:list'),
  ]),
  directory('/system', 'SettingOutlined', undefined, [
    page('/system/user', 'UserOutlined', 'user:list', [
      button('user:create'),
      button('user:update'),
      button('user:delete'),
    ]),
    page('/system/role', 'LockOutlined', 'role:list', [
      button('role:create'),
      button('role:update'),
      button('role:delete'),
      button('role:permission'),
    ]),
    page('/system/menu', 'MenuOutlined', 'menu:list', [
      button('menu:create'),
      button('menu:update'),
      button('menu:delete'),
    ]),
    page('/system/dept', 'ApartmentOutlined', 'department:list'),
    page('/system/dict', 'BookOutlined', 'settings:view'),
    page('/system/config', 'ControlOutlined', 'settings:view'),
    page('/system/notice', 'NotificationOutlined', 'settings:view'),
  ]),
  directory('/content', 'FileTextOutlined', 'content:list', [
    page('/content/article', 'FileTextOutlined', 'content:list', [
      button('content:create'),
      button('content:update'),
      button('content:delete'),
    ]),
    page('/content/category', 'AppstoreOutlined', 'content:list'),
  ]),
  page('/data', 'BarChartOutlined', 'data:view'),
  directory('/monitor', 'DesktopOutlined', 'log:view', [
    page('/monitor/online', 'TeamOutlined', 'log:view'),
    page('/monitor/server', 'DashboardOutlined', 'log:view'),
  ]),
  directory('/log', 'FileTextOutlined', 'log:view', [
    page('/log/login', 'LoginOutlined', 'log:view'),
    page('/log/operation', 'HistoryOutlined', 'log:view'),
    page('/log/error', 'BugOutlined', 'log:view'),
  ]),
  page('/settings', 'ToolOutlined', 'settings:view'),
  page('/profile', 'UserOutlined'),
  page('/about', 'InfoCircleOutlined'),
]

/** A page whose view is a file with that name; others have a folder. */
function single(path: string, icon: string, permission: Permission, children?: SeedMenu[]): SeedMenu {
  return { ...page(path, icon, permission, children), component: path }
}

function page(path: string, icon: string, permission?: Permission, children: SeedMenu[] = []): SeedMenu {
  return { type: 'menu', path, component: `${path}/index`, icon, children, ...(permission && { permission }) }
}

function directory(path: string, icon: string, permission: Permission | undefined, children: SeedMenu[]): SeedMenu {
  return { type: 'directory', path, icon, children, ...(permission && { permission }) }
}

function button(permission: Permission): SeedMenu {
  return { type: 'button', permission }
}

/** The key of its names: the address of a page or directory, the permission of a button. */
export function keyOf({ path, permission }: SeedMenu): string {
  return path ?? permission!
}

/** Writes menus in the order of the list, as the owner of the database. */
export async function writeMenus(
  client: pg.Client,
  menus: readonly SeedMenu[],
  parentId: number | null,
): Promise<void> {
  const names = menuNames('en')
  for (const [at, menu] of menus.entries()) {
    const { path, component, icon, permission, type, children = [] } = menu
    const { rows } = await client.query(
      `insert into menus (parent_id, name, path, component, icon, sort, permission, type)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [parentId, names[keyOf(menu)], path, component, icon, at + 1, permission, type],
    )
    await writeMenus(client, children, rows[0].id)
  }
}
