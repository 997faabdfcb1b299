import type pg from 'pg'
import type { Permission } from '#atrium'

/** A menu of the admin client as it is there from the start. */
export interface SeedMenu {
  name: string
  type: 'directory' | 'menu' | 'button'
  path?: string
  component?: string
  icon?: string
  permission?: Permission
  children?: SeedMenu[]
}

/**
 * The menus of the admin client: pages under the addresses it knows, the buttons that a permission of their own hides,
 * and directories, which demand a permission only where all that lies in them does.
 */
export const SEED_MENUS: SeedMenu[] = [
  page('/home', 'Home', 'HomeOutlined'),
  page('/dashboard', 'Dashboard', 'DashboardOutlined', 'dashboard:view'),
  page('/analytics', 'Analytics', 'BarChartOutlined', 'analytics:view'),
  directory('/enterprise', 'Work', 'ProjectOutlined', undefined, [
    page('/projects', 'Projects and tasks', 'ProjectOutlined', 'project:list', [
      button('Create a project', 'project:create'),
      button('Update a project', 'project:update'),
      button('Create a task', 'task:create'),
      button('Update a task', 'task:update'),
    ]),
    page('/approvals', 'Approvals', 'AuditOutlined', undefined, [
      button('Draft and submit', 'approval:create'),
      button('Approve and reject', 'approval:action'),
    ]),
    page('/notifications', 'Notifications', 'BellOutlined'),
    single('/enterprise/organization', 'Organization', 'ApartmentOutlined', 'department:list', [
      button('Manage departments', 'department:manage'),
    ]),
    single('/enterprise/files', 'Files', 'FolderOutlined', 'file:upload'),
    single('/enterprise/audit', 'Audit', 'FileSearchOutlined', 'audit:view'),
    single('/enterprise/tenants', 'Tenants', 'BankOutlined', 'tenant:list'),
  ]),
  directory('/system', 'System', 'SettingOutlined', undefined, [
    page('/system/user', 'Users', 'UserOutlined', 'user:list', [
      button('Create a user', 'user:create'),
      button('Update a user', 'user:update'),
      button('Delete a user', 'user:delete'),
    ]),
    page('/system/role', 'Roles', 'LockOutlined', 'role:list', [
      button('Create a role', 'role:create'),
      button('Update a role', 'role:update'),
      button('Delete a role', 'role:delete'),
      button('Assign permissions', 'role:permission'),
    ]),
    page('/system/menu', 'Menus', 'MenuOutlined', 'menu:list', [
      button('Create a menu', 'menu:create'),
      button('Update a menu', 'menu:update'),
      button('Delete a menu', 'menu:delete'),
    ]),
    page('/system/dept', 'Departments', 'ApartmentOutlined', 'department:list'),
    page('/system/dict', 'Dictionaries', 'BookOutlined', 'settings:view'),
    page('/system/config', 'Parameters', 'ControlOutlined', 'settings:view'),
    page('/system/notice', 'Notices', 'NotificationOutlined', 'settings:view'),
  ]),
  directory('/content', 'Content', 'FileTextOutlined', 'content:list', [
    page('/content/article', 'Articles', 'FileTextOutlined', 'content:list', [
      button('Create an article', 'content:create'),
      button('Update an article', 'content:update'),
      button('Delete an article', 'content:delete'),
    ]),
    page('/content/category', 'Categories', 'AppstoreOutlined', 'content:list'),
  ]),
  page('/data', 'Business data', 'BarChartOutlined', 'data:view'),
  directory('/monitor', 'Monitoring', 'DesktopOutlined', 'log:view', [
    page('/monitor/online', 'Who is online', 'TeamOutlined', 'log:view'),
    page('/monitor/server', 'Server', 'DashboardOutlined', 'log:view'),
  ]),
  directory('/log', 'Logs', 'FileTextOutlined', 'log:view', [
    page('/log/login', 'Sign-ins', 'LoginOutlined', 'log:view'),
    page('/log/operation', 'Operations', 'HistoryOutlined', 'log:view'),
    page('/log/error', 'Errors', 'BugOutlined', 'log:view'),
  ]),
  page('/settings', 'Settings', 'ToolOutlined', 'settings:view'),
  page('/profile', 'My profile', 'UserOutlined'),
  page('/about', 'About', 'InfoCircleOutlined'),
]

/** A page whose view is a file of that name, where others have a folder. */
function single(path: string, name: string, icon: string, permission: Permission, children?: SeedMenu[]): SeedMenu {
  return { ...page(path, name, icon, permission, children), component: path }
}

function page(path: string, name: string, icon: string, permission?: Permission, children: SeedMenu[] = []): SeedMenu {
  return { type: 'menu', name, path, component: `${path}/index`, icon, children, ...(permission && { permission }) }
}

function directory(
  path: string,
  name: string,
  icon: string,
  permission: Permission | undefined,
  children: SeedMenu[],
): SeedMenu {
  return { type: 'directory', name, path, icon, children, ...(permission && { permission }) }
}

function button(name: string, permission: Permission): SeedMenu {
  return { type: 'button', name, permission }
}

/** Writes menus, one below the other, as the owner of the database; the order of the list is theirs. */
export async function writeMenus(
  client: pg.Client,
  menus: readonly SeedMenu[],
  parentId: number | null,
): Promise<void> {
  for (const [at, { name, path, component, icon, permission, type, children = [] }] of menus.entries()) {
    const { rows } = await client.query(
      `insert into menus (parent_id, name, path, component, icon, sort, permission, type)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [parentId, name, path, component, icon, at + 1, permission, type],
    )
    await writeMenus(client, children, rows[0].id)
  }
}
