import { exemplify } from '#atrium'
import type { DemoDepartment, ErrorLog, LoginLog, OperationLog } from './demo.schemas.ts'
import * as schemas from './demo.schemas.ts'
import type { AdminDataSource } from './demo.source.ts'

/**
 * Deterministic demo data around one fixed instant: no clock, no randomness, the same bytes on every machine and in
 * every time zone. Variety comes from arithmetic on the row's number.
 */
const REFERENCE = Date.UTC(2026, 5, 30, 9, 0, 0)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** `yyyy-MM-dd HH:mm:ss`, so many milliseconds before the reference instant. */
function before(ms: number): string {
  return new Date(REFERENCE - ms).toISOString().slice(0, 19).replace('T', ' ')
}

const dayBefore = (days: number) => before(days * DAY).slice(0, 10)
const pick = <Item>(items: readonly Item[], at: number): Item => items[at % items.length]!
/** A number between 0 and `most` that looks irregular and is always the same. */
const spread = (at: number, most: number) => (at * 7919 + 104_729) % (most + 1)

const USERNAMES = [
  'admin',
  'mei.tanaka',
  'jonas.weber',
  'amara.okafor',
  'li.wei',
  'sofia.rossi',
  'diego.santos',
  'nora.lind',
]
const REAL_NAMES = [
  'Administrator',
  'Mei Tanaka',
  'Jonas Weber',
  'Amara Okafor',
  '李伟',
  'Sofia Rossi',
  'Diego Santos',
  'Nora Lind',
]
const BROWSERS = ['Chrome 126', 'Edge 126', 'Firefox 127', 'Safari 17']
const SYSTEMS = ['Windows 11', 'macOS 14', 'Ubuntu 24.04', 'Android 14']
const DEPARTMENTS = ['Head office', 'Engineering', 'Product', 'Sales', 'Operations']
const ipOf = (at: number) => `10.${at % 8}.${spread(at, 250)}.${1 + spread(at + 3, 250)}`
const ONE_TO = (most: number) => Array.from({ length: most }, (_, at) => at + 1)

const PAGES = [
  { path: '/dashboard', title: 'Dashboard' },
  { path: '/projects', title: 'Projects' },
  { path: '/tasks', title: 'Tasks' },
  { path: '/approvals', title: 'Approvals' },
  { path: '/content/articles', title: 'Articles' },
]

const loginLogs: LoginLog[] = ONE_TO(50).map((id) => {
  const failed = id % 7 === 0
  return {
    id,
    username: pick(USERNAMES, id * 3),
    ip: ipOf(id),
    browser: pick(BROWSERS, id),
    os: pick(SYSTEMS, id + 1),
    status: failed ? 'fail' : 'success',
    message: failed ? 'Wrong password' : 'Signed in',
    createdAt: before(id * 37 * MINUTE),
  }
})

const OPERATIONS = [
  { module: 'User', action: 'Create', method: 'POST', description: 'Created a user' },
  { module: 'Role', action: 'Update', method: 'PUT', description: 'Changed the permissions of a role' },
  { module: 'Project', action: 'Archive', method: 'PUT', description: 'Archived a project' },
  { module: 'Task', action: 'Update', method: 'PUT', description: 'Moved a task' },
  { module: 'Article', action: 'Delete', method: 'DELETE', description: 'Deleted a draft' },
  { module: 'File', action: 'Upload', method: 'POST', description: 'Uploaded a document' },
  { module: 'Menu', action: 'Update', method: 'PUT', description: 'Hid a menu' },
  { module: 'Settings', action: 'Update', method: 'PUT', description: 'Changed the upload limit' },
  { module: 'Log', action: 'Export', method: 'GET', description: 'Exported the sign-ins of a week' },
]

const operationLogs: OperationLog[] = ONE_TO(60).map((id) => ({
  id,
  username: pick(USERNAMES, id * 5),
  ...pick(OPERATIONS, id),
  ip: ipOf(id + 50),
  status: id % 11 === 0 ? 'fail' : 'success',
  duration: 8 + spread(id, 180),
  createdAt: before(id * 23 * MINUTE),
}))

const FAILURES = [
  { type: 'TypeError', message: 'Cannot read properties of undefined (reading "name")' },
  { type: 'NetworkError', message: 'The request timed out after 10000 ms' },
  { type: 'RangeError', message: 'Maximum call stack size exceeded' },
  { type: 'ResourceError', message: 'A chunk of the page could not be loaded' },
]

const errorLogs: ErrorLog[] = ONE_TO(40).map((id) => {
  const failure = pick(FAILURES, id)
  const page = pick(PAGES, id * 2).path
  return {
    id,
    ...failure,
    page,
    stack: `${failure.type}: ${failure.message}\n    at render (${page}.js:${10 + spread(id, 400)}:17)`,
    browser: pick(BROWSERS, id + 2),
    os: pick(SYSTEMS, id),
    status: id % 3 === 0 ? 'pending' : 'resolved',
    createdAt: before(id * 3 * 60 * MINUTE),
  }
})

const CONFIG = [
  ['Site name', 'site.name', 'Atrium', 'custom', 'Shown in the title of every page'],
  ['Registration', 'auth.registration', 'true', 'built-in', 'Whether visitors may register'],
  ['Upload limit', 'file.maxSize', '10485760', 'built-in', 'Bytes for each file'],
  ['Session length', 'auth.sessionDays', '7', 'built-in', 'Days without a sign-in'],
  ['Time zone', 'site.timeZone', 'UTC', 'built-in', 'For reports'],
  ['Language', 'site.language', 'en', 'built-in', 'Of new users'],
  ['Watermark', 'ui.watermark', 'false', 'custom', 'On every page'],
  ['Support address', 'site.support', 'support@example.com', 'custom', 'Shown on error pages'],
] as const

const DICTIONARIES = [
  ['Task status', 'task_status', ['TODO', 'IN_PROGRESS', 'BLOCKED', 'DONE', 'CANCELLED']],
  ['Task priority', 'task_priority', ['LOW', 'MEDIUM', 'HIGH', 'URGENT']],
  ['Approval status', 'approval_status', ['DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'CANCELLED']],
  ['Article status', 'article_status', ['draft', 'published']],
  ['User status', 'user_status', ['active', 'disabled']],
  ['Payment channel', 'payment_channel', ['alipay', 'wechat', 'card']],
] as const

const NOTICES = [
  ['Maintenance on Saturday', 'notice', 'The service is down from 02:00 to 02:30 UTC.'],
  [
    'Approvals in two steps',
    'announcement',
    'Requests now go to the department leader first, then to an administrator.',
  ],
  ['New project templates', 'announcement', 'Choose one when you create a project.'],
  ['Change your password', 'notice', 'Passwords older than a year should be changed.'],
  ['Quarterly review', 'notice', 'Please close finished projects until the end of the month.'],
  ['Welcome, new colleagues', 'announcement', 'Four people have joined us this month.'],
] as const

const label = (value: string) => value[0]!.toUpperCase() + value.slice(1).toLowerCase().replaceAll('_', ' ')

const department = (
  id: number,
  name: string,
  leader: string,
  order: number,
  children?: DemoDepartment[],
): DemoDepartment => ({
  id,
  name,
  leader,
  order,
  status: 'active',
  createdAt: before((400 - id) * DAY),
  ...(children && { children }),
})

const dayFigures = (ago: number) => ({
  visits: 1800 + spread(ago * 13, 900),
  users: 320 + spread(ago * 17, 160),
  orders: 24 + spread(ago * 19, 30),
  revenue: 8200 + spread(ago * 23, 5200),
})

/** The constants behind the admin pages. */
export const constants: AdminDataSource = {
  dashboard: () => {
    const week = ONE_TO(7).map((day) => 7 - day)
    return {
      todayVisits: dayFigures(0).visits,
      totalUsers: 1286,
      activeUsers: 342,
      todayOrders: dayFigures(0).orders,
      weeklyGrowth: 12.5,
      monthlyRevenue: 286_400,
      conversionRate: 3.8,
      systemUptime: 99.98,
      weeklyTrend: {
        days: week.map((ago) => dayBefore(ago).slice(5)),
        visits: week.map((ago) => dayFigures(ago).visits),
        users: week.map((ago) => dayFigures(ago).users),
      },
      roleDistribution: [
        { name: 'Administrators', value: 6 },
        { name: 'Managers', value: 48 },
        { name: 'Users', value: 1232 },
      ],
      topPages: PAGES.map((page, at) => ({ ...page, visits: 4200 - at * 640 })),
      recentActivities: operationLogs.slice(0, 8).map((log, at) => ({
        id: at + 1,
        user: log.username,
        action: log.description,
        time: log.createdAt,
      })),
    }
  },
  analytics: (days) => {
    const trend = ONE_TO(days).map((day) => ({ date: dayBefore(days - day), ...dayFigures(days - day) }))
    const total = (figure: 'visits' | 'users' | 'orders' | 'revenue') =>
      trend.reduce((sum, day) => sum + day[figure], 0)
    return {
      stats: [
        { color: '#1677ff', suffix: '', title: 'Visits', value: total('visits') },
        { color: '#52c41a', suffix: '', title: 'Users', value: total('users') },
        { color: '#faad14', suffix: '', title: 'Orders', value: total('orders') },
        { color: '#f5222d', suffix: '', title: 'Revenue', value: total('revenue') },
      ],
      trend,
      topPages: PAGES.map((page, at) => ({
        page: page.path,
        title: page.title,
        visits: 4200 - at * 640,
        avgTime: `0${1 + (at % 3)}:${10 + spread(at, 40)}`,
      })),
    }
  },
  data: () => ({
    stats: [
      { border: '#1677ff', prefix: '¥', suffix: '', title: 'Revenue', value: 286_400 },
      { border: '#52c41a', suffix: '', title: 'Orders', value: 1042 },
      { border: '#faad14', suffix: '%', title: 'Conversion', value: 3.8 },
      { border: '#722ed1', suffix: '', title: 'New users', value: 186 },
    ],
    recent: ONE_TO(10).map((at) => ({
      date: dayBefore(at),
      type: pick(['Subscription', 'Renewal', 'Refund'], at),
      amount: pick(['+¥299.00', '+¥999.00', '-¥299.00'], at),
      status: pick(['completed', 'completed', 'pending'], at),
    })),
  }),
  loginLogs: () => loginLogs,
  operationLogs: () => operationLogs,
  errorLogs: () => errorLogs,
  configEntries: () =>
    CONFIG.map(([name, key, value, type, remark], at) => ({
      id: at + 1,
      name,
      key,
      value,
      type,
      remark,
      createdAt: before((120 - at) * DAY),
    })),
  dictionaries: () =>
    DICTIONARIES.map(([name, type, values], at) => ({
      id: at + 1,
      name,
      type,
      status: 'active',
      remark: '',
      createdAt: before((90 - at) * DAY),
      data: values.map((value) => ({ label: label(value), value })),
    })),
  notices: () =>
    NOTICES.map(([title, type, content], at) => ({
      id: at + 1,
      title,
      type,
      status: at % 4 === 3 ? 'inactive' : 'active',
      author: 'admin',
      createdAt: before((at + 1) * 2 * DAY),
      content,
    })),
  departments: () => [
    department(1, 'Head office', 'Administrator', 1, [
      department(2, 'Engineering', 'Jonas Weber', 1, [
        department(6, 'Platform', '李伟', 1),
        department(7, 'Apps', 'Mei Tanaka', 2),
      ]),
      department(3, 'Product', 'Amara Okafor', 2),
      department(4, 'Sales', 'Sofia Rossi', 3),
      department(5, 'Operations', 'Diego Santos', 4),
    ]),
  ],
  onlineUsers: () => {
    const items = USERNAMES.map((username, at) => ({
      id: at + 1,
      username,
      realName: REAL_NAMES[at]!,
      department: pick(DEPARTMENTS, at),
      ip: ipOf(at + 20),
      browser: pick(BROWSERS, at),
      os: pick(SYSTEMS, at),
      loginAt: before((at + 1) * 41 * MINUTE),
    }))
    return { items, total: items.length }
  },
  serverState: () => ({
    cpu: { usage: 23.4, cores: 8, model: 'Virtual CPU @ 2.60GHz' },
    memory: { total: '16 GB', used: '9.2 GB', usage: 57.5 },
    disk: { total: '200 GB', used: '84 GB', usage: 42 },
    runtime: { node: 'v26.10.0', os: 'linux x64', uptime: '12 days', port: 8080 },
    trend: ONE_TO(12).map((at) => ({ time: before((12 - at) * 5 * MINUTE).slice(11, 16), usage: 15 + spread(at, 30) })),
  }),
}

exemplify(schemas.DashboardStats, constants.dashboard())
exemplify(schemas.AnalyticsOverview, constants.analytics(1))
exemplify(schemas.DataOverview, constants.data())
exemplify(schemas.LoginLog, loginLogs[0])
exemplify(schemas.OperationLog, operationLogs[0])
exemplify(schemas.ErrorLog, errorLogs[0])
exemplify(schemas.ConfigEntry, constants.configEntries()[0])
exemplify(schemas.Dictionary, constants.dictionaries()[0])
exemplify(schemas.Notice, constants.notices()[0])
exemplify(schemas.DemoDepartment, constants.departments()[0])
exemplify(schemas.OnlineUsers, constants.onlineUsers())
exemplify(schemas.ServerState, constants.serverState())
