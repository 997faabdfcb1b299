import type { Language } from '#atrium'
import type { MenuRow, MenuView } from './menus.schemas.ts'

/** The names of the menus that are there from the start. A menu that somebody has called otherwise keeps that name. */
const CHINESE: Record<string, string> = {
  Home: '首页',
  Dashboard: '仪表盘',
  Analytics: '数据分析',
  Work: '企业协作',
  'Projects and tasks': '项目与任务',
  'Create a project': '新建项目',
  'Update a project': '编辑项目',
  'Create a task': '新建任务',
  'Update a task': '编辑任务',
  Approvals: '审批',
  'Draft and submit': '起草与提交',
  'Approve and reject': '通过与驳回',
  Notifications: '通知',
  Organization: '组织架构',
  'Manage departments': '管理部门',
  Files: '文件',
  Audit: '审计',
  Tenants: '租户',
  System: '系统管理',
  Users: '用户管理',
  'Create a user': '新增用户',
  'Update a user': '编辑用户',
  'Delete a user': '删除用户',
  Roles: '角色管理',
  'Create a role': '新增角色',
  'Update a role': '编辑角色',
  'Delete a role': '删除角色',
  'Assign permissions': '分配权限',
  Menus: '菜单管理',
  'Create a menu': '新增菜单',
  'Update a menu': '编辑菜单',
  'Delete a menu': '删除菜单',
  Departments: '部门管理',
  Dictionaries: '字典管理',
  Parameters: '参数设置',
  Notices: '通知公告',
  Content: '内容管理',
  Articles: '文章管理',
  'Create an article': '新增文章',
  'Update an article': '编辑文章',
  'Delete an article': '删除文章',
  Categories: '分类管理',
  'Business data': '数据业务',
  Monitoring: '系统监控',
  'Who is online': '在线用户',
  Server: '服务器监控',
  Logs: '日志管理',
  'Sign-ins': '登录日志',
  Operations: '操作日志',
  Errors: '错误日志',
  Settings: '系统设置',
  'My profile': '个人中心',
  About: '关于',
}

/** Menus as their reader calls them. */
export function menusIn(language: Language, menus: readonly MenuView[]): MenuView[] {
  return menus.map((menu) => menuIn(language, menu))
}

export function menuIn(language: Language, menu: MenuView): MenuView {
  const name = (language === 'zh-CN' && CHINESE[menu.name]) || menu.name
  return { ...menu, name, children: menusIn(language, menu.children) }
}

/** The name to store: whoever sends back the one that they have read has not renamed the menu. */
export function nameToKeep(menu: Pick<MenuRow, 'name'>, name: string | undefined): string {
  return name === undefined || name === CHINESE[menu.name] ? menu.name : name
}
