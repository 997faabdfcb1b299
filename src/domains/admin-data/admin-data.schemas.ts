import { absentIfBlank, clamped, Keyword, pageOf, z } from '#atrium'

const id = z.number().int()
const count = z.number().int()
const text = z.string()
/** `yyyy-MM-dd HH:mm:ss`, as the admin pages print it */
const time = z.string()
const enabled = z.enum(['active', 'inactive'])
const outcome = z.enum(['success', 'fail'])

const pageFields = { page: clamped(1, 100_000, 1), pageSize: clamped(1, 100, 10) }

export const DaysQuery = z.object({ days: clamped(1, 90, 7) })
export const SearchQuery = z.object({ ...pageFields, keyword: Keyword })
export const OperationLogQuery = SearchQuery.extend({ module: Keyword })
export const ErrorLogQuery = SearchQuery.extend(absentIfBlank({ status: z.enum(['pending', 'resolved']).optional() }))
export const NoticeQuery = SearchQuery.extend({ type: Keyword })

export const DashboardStats = z
  .object({
    todayVisits: count,
    totalUsers: count,
    activeUsers: count,
    todayOrders: count,
    weeklyGrowth: z.number(),
    monthlyRevenue: count,
    conversionRate: z.number(),
    systemUptime: z.number(),
    weeklyTrend: z.object({ days: z.array(text), visits: z.array(count), users: z.array(count) }),
    roleDistribution: z.array(z.object({ name: text, value: count })),
    topPages: z.array(z.object({ path: text, title: text, visits: count })),
    recentActivities: z.array(z.object({ id, user: text, action: text, time })),
  })
  .meta({ id: 'DashboardStats' })
export type DashboardStats = z.output<typeof DashboardStats>

export const AnalyticsOverview = z
  .object({
    stats: z.array(z.object({ color: text, suffix: text, title: text, value: z.number() })),
    trend: z.array(z.object({ date: text, visits: count, users: count, orders: count, revenue: count })),
    topPages: z.array(z.object({ page: text, title: text, visits: count, avgTime: text })),
  })
  .meta({ id: 'AnalyticsOverview' })
export type AnalyticsOverview = z.output<typeof AnalyticsOverview>

export const DataOverview = z
  .object({
    stats: z.array(z.object({ border: text, prefix: text.optional(), suffix: text, title: text, value: z.number() })),
    recent: z.array(z.object({ date: text, type: text, amount: text, status: text })),
  })
  .meta({ id: 'DataOverview' })
export type DataOverview = z.output<typeof DataOverview>

export const LoginLog = z
  .object({
    id,
    username: text,
    ip: text,
    browser: text,
    os: text,
    status: outcome,
    message: text,
    createdAt: time,
  })
  .meta({ id: 'LoginLog' })
export type LoginLog = z.output<typeof LoginLog>

export const OperationLog = z
  .object({
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
  .meta({ id: 'OperationLog' })
export type OperationLog = z.output<typeof OperationLog>

export const ErrorLog = z
  .object({
    id,
    type: text,
    message: text,
    page: text,
    stack: text,
    browser: text,
    os: text,
    status: z.enum(['pending', 'resolved']),
    createdAt: time,
  })
  .meta({ id: 'ErrorLog' })
export type ErrorLog = z.output<typeof ErrorLog>

export const ConfigEntry = z
  .object({
    id,
    name: text,
    key: text,
    value: text,
    type: z.enum(['built-in', 'custom']),
    remark: text,
    createdAt: time,
  })
  .meta({ id: 'ConfigEntry' })
export type ConfigEntry = z.output<typeof ConfigEntry>

export const Dictionary = z
  .object({
    id,
    name: text,
    type: text,
    status: enabled,
    remark: text,
    createdAt: time,
    data: z.array(z.object({ label: text, value: text })),
  })
  .meta({ id: 'Dictionary' })
export type Dictionary = z.output<typeof Dictionary>

export const Notice = z
  .object({ id, title: text, type: text, status: enabled, author: text, createdAt: time, content: text })
  .meta({ id: 'Notice' })
export type Notice = z.output<typeof Notice>

const DemoDepartmentFields = z.object({ id, name: text, leader: text, order: count, status: enabled, createdAt: time })
export interface DemoDepartment extends z.output<typeof DemoDepartmentFields> {
  children?: DemoDepartment[]
}
export const DemoDepartment = DemoDepartmentFields.extend({
  get children(): z.ZodOptional<z.ZodArray<z.ZodType<DemoDepartment>>> {
    return z.array(DemoDepartment).optional()
  },
}).meta({ id: 'DemoDepartment' })

export const OnlineUsers = z
  .object({
    items: z.array(
      z.object({
        id,
        username: text,
        realName: text,
        department: text,
        ip: text,
        browser: text,
        os: text,
        loginAt: time,
      }),
    ),
    total: count,
  })
  .meta({ id: 'OnlineUsers' })
export type OnlineUsers = z.output<typeof OnlineUsers>

export const ServerState = z
  .object({
    cpu: z.object({ usage: z.number(), cores: count, model: text }),
    memory: z.object({ total: text, used: text, usage: z.number() }),
    disk: z.object({ total: text, used: text, usage: z.number() }),
    runtime: z.object({ node: text, os: text, uptime: text, port: count }),
    trend: z.array(z.object({ time: text, usage: z.number() })),
  })
  .meta({ id: 'ServerState' })
export type ServerState = z.output<typeof ServerState>

export const LoginLogs = pageOf(LoginLog).meta({ id: 'LoginLogPage' })
export const OperationLogs = pageOf(OperationLog).meta({ id: 'OperationLogPage' })
export const ErrorLogs = pageOf(ErrorLog).meta({ id: 'ErrorLogPage' })
export const ConfigEntries = pageOf(ConfigEntry).meta({ id: 'ConfigEntryPage' })
export const Dictionaries = pageOf(Dictionary).meta({ id: 'DictionaryPage' })
export const Notices = pageOf(Notice).meta({ id: 'NoticePage' })
