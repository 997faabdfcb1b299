import { absentIfBlank, clamped, Keyword, z } from '#atrium'

const id = z.number().int()
const count = z.number().int()
const amount = z.number()
const text = z.string()
/** `yyyy-MM-dd HH:mm:ss`, as the admin pages print it */
const time = z.string()
const enabled = z.enum(['active', 'inactive'])
const outcome = z.enum(['success', 'fail'])
const repair = z.enum(['pending', 'resolved'])

export const DaysQuery = z.object({ days: clamped(1, 90, 7) })
export const SearchQuery = z.object({ page: clamped(1, 100_000, 1), pageSize: clamped(1, 100, 10), keyword: Keyword })
export const OperationLogQuery = SearchQuery.extend({ module: Keyword })
export const ErrorLogQuery = SearchQuery.extend(absentIfBlank({ status: repair.optional() }))
export const NoticeQuery = SearchQuery.extend({ type: Keyword })

export const DashboardStats = component('DashboardStats', {
  todayVisits: count,
  totalUsers: count,
  activeUsers: count,
  todayOrders: count,
  weeklyGrowth: amount,
  monthlyRevenue: count,
  conversionRate: amount,
  systemUptime: amount,
  weeklyTrend: z.object({ days: z.array(text), visits: z.array(count), users: z.array(count) }),
  roleDistribution: z.array(z.object({ name: text, value: count })),
  topPages: z.array(z.object({ path: text, title: text, visits: count })),
  recentActivities: z.array(z.object({ id, user: text, action: text, time })),
})

export const AnalyticsOverview = component('AnalyticsOverview', {
  stats: z.array(z.object({ color: text, suffix: text, title: text, value: amount })),
  trend: z.array(z.object({ date: text, visits: count, users: count, orders: count, revenue: count })),
  topPages: z.array(z.object({ page: text, title: text, visits: count, avgTime: text })),
})

export const DataOverview = component('DataOverview', {
  stats: z.array(z.object({ border: text, prefix: text.optional(), suffix: text, title: text, value: amount })),
  recent: z.array(z.object({ date: text, type: text, amount: text, status: text })),
})

export const LoginLog = component('LoginLog', {
  id,
  username: text,
  ip: text,
  browser: text,
  os: text,
  status: outcome,
  message: text,
  createdAt: time,
})

export const OperationLog = component('OperationLog', {
  id,
  username: text,
  module: text,
  action: text,
  description: text,
  ip: text,
  method: text,
  status: outcome,
  duration: count,
  createdAt: time,
})

export const ErrorLog = component('ErrorLog', {
  id,
  type: text,
  message: text,
  page: text,
  stack: text,
  browser: text,
  os: text,
  status: repair,
  createdAt: time,
})

const origin = z.enum(['built-in', 'custom'])
export const ConfigEntry = component('ConfigEntry', {
  id,
  name: text,
  key: text,
  value: text,
  type: origin,
  remark: text,
  createdAt: time,
})

export const Dictionary = component('Dictionary', {
  id,
  name: text,
  type: text,
  status: enabled,
  remark: text,
  createdAt: time,
  data: z.array(z.object({ label: text, value: text })),
})

export const Notice = component('Notice', {
  id,
  title: text,
  type: text,
  status: enabled,
  author: text,
  createdAt: time,
  content: text,
})

const department = z.object({ id, name: text, leader: text, order: count, status: enabled, createdAt: time })
export const DemoDepartment = department
  .extend({
    get children(): z.ZodOptional<z.ZodArray<z.ZodType>> {
      return z.array(DemoDepartment).optional()
    },
  })
  .meta({ id: 'DemoDepartment' })

const user = { id, username: text, realName: text, department: text, ip: text, browser: text, os: text, loginAt: time }
export const OnlineUsers = component('OnlineUsers', { items: z.array(z.object(user)), total: count })

export const ServerState = component('ServerState', {
  cpu: z.object({ usage: amount, cores: count, model: text }),
  memory: z.object({ total: text, used: text, usage: amount }),
  disk: z.object({ total: text, used: text, usage: amount }),
  runtime: z.object({ node: text, os: text, uptime: text, port: count }),
  trend: z.array(z.object({ time: text, usage: amount })),
})

function component<Shape extends z.ZodRawShape>(name: string, shape: Shape) {
  return z.object(shape).meta({ id: name })
}
