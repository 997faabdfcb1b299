import { type Access, exemplify, LANGUAGES, type Language, pageOf, texts, z } from '#atrium'
import * as shapes from './admin-data.schemas.ts'

export interface Figures {
  path: string
  operation: string
  summary: string
  /** by default signed-in */
  access?: Access
  /** what is shown, or each row of a list */
  shows: z.ZodType
  isList?: true
  /** a page of those rows of which one of the fields contains what the parameter says */
  search?: { [parameter: string]: readonly string[] }
  query?: z.ZodObject
}

/** What the admin pages show, by its name in the texts. */
export const FIGURES: Record<string, Figures> = {
  dashboard: {
    path: '/dashboard/stats',
    operation: 'getDashboardStats',
    summary: 'Dashboard figures',
    shows: shapes.DashboardStats,
  },
  analytics: {
    path: '/analytics/overview',
    operation: 'getAnalyticsOverview',
    summary: 'Analytics',
    access: 'analytics:view',
    query: shapes.DaysQuery,
    shows: shapes.AnalyticsOverview,
  },
  overview: {
    path: '/data/overview',
    operation: 'getDataOverview',
    summary: 'Data overview',
    access: 'data:view',
    shows: shapes.DataOverview,
  },
  loginLogs: {
    path: '/log/login',
    operation: 'listLoginLogs',
    summary: 'Sign-in log',
    query: shapes.SearchQuery,
    search: { keyword: ['username', 'ip', 'message'] },
    shows: shapes.LoginLog,
  },
  operationLogs: {
    path: '/log/operation',
    operation: 'listOperationLogs',
    summary: 'Operation log',
    query: shapes.OperationLogQuery,
    search: { keyword: ['username', 'action', 'description'], module: ['module'] },
    shows: shapes.OperationLog,
  },
  errorLogs: {
    path: '/log/error',
    operation: 'listErrorLogs',
    summary: 'Error log',
    query: shapes.ErrorLogQuery,
    search: { keyword: ['type', 'message', 'page'], status: ['status'] },
    shows: shapes.ErrorLog,
  },
  configEntries: {
    path: '/config/list',
    operation: 'listConfigEntries',
    summary: 'Settings',
    query: shapes.SearchQuery,
    search: { keyword: ['name', 'key'] },
    shows: shapes.ConfigEntry,
  },
  dictionaries: {
    path: '/dict/list',
    operation: 'listDictionaries',
    summary: 'Dictionaries',
    query: shapes.SearchQuery,
    search: { keyword: ['name', 'type'] },
    shows: shapes.Dictionary,
  },
  notices: {
    path: '/notice/list',
    operation: 'listNotices',
    summary: 'Notices',
    query: shapes.NoticeQuery,
    search: { keyword: ['title', 'content'], type: ['type'] },
    shows: shapes.Notice,
  },
  departments: {
    path: '/dept/list',
    operation: 'listDemoDepartments',
    summary: 'Demo departments',
    isList: true,
    shows: shapes.DemoDepartment,
  },
  onlineUsers: {
    path: '/monitor/online',
    operation: 'getOnlineUsers',
    summary: 'Who is online',
    shows: shapes.OnlineUsers,
  },
  serverState: {
    path: '/monitor/server',
    operation: 'getServerState',
    summary: 'State of the server',
    shows: shapes.ServerState,
  },
}

/** What the texts hold of each. */
const Data = z.object(byName(({ shows, search, isList }) => (search || isList ? z.array(shows) : shows)))

/** What the route of each answers. */
export const ANSWERS = byName(({ shows, search, isList }) => {
  if (search) return pageOf(shows).meta({ id: `${shows.meta()!.id}Page` })
  return isList ? z.array(shows) : shows
})

function byName(schemaOf: (figures: Figures) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(FIGURES).map(([name, each]) => [name, schemaOf(each)]))
}

/** The figures of the admin pages by name, the same for every tenant, call and machine. */
export const figures: (language: Language) => Record<string, any> = texts(new URL('./texts/', import.meta.url), Data)

/** The analytics of the last days, with their totals. */
export function analyticsOf(language: Language, days: number): z.output<typeof shapes.AnalyticsOverview> {
  const { stats, trend, topPages } = figures(language).analytics
  const lately = trend.slice(-days)
  const totals = ['visits', 'users', 'orders', 'revenue'].map((figure) =>
    lately.reduce((sum: number, day: any) => sum + day[figure], 0),
  )
  return { stats: stats.map((stat: object, at: number) => ({ ...stat, value: totals[at]! })), trend: lately, topPages }
}

type Row = Record<string, unknown>

/** The rows of a table that hold what is looked for, in any case and any language. */
export function searchRows(language: Language, table: string, query: Record<string, unknown>): Row[] {
  const versions = LANGUAGES.map((each): Row[] => figures(each)[table])
  const sought = Object.entries(FIGURES[table]!.search!).map(([parameter, fields]) => ({
    text: String(query[parameter] ?? '').toLowerCase(),
    fields,
  }))
  const has = (row: Row, { text, fields }: (typeof sought)[number]) =>
    fields.some((field) => String(row[field]).toLowerCase().includes(text))
  const rows: Row[] = figures(language)[table]
  return rows.filter((_, at) => sought.every((each) => versions.some((version) => has(version[at]!, each))))
}

for (const [name, { shows, search, isList }] of Object.entries(FIGURES))
  exemplify(shows, () => {
    if (name === 'analytics') return analyticsOf('en', 1)
    return search || isList ? figures('en')[name][0] : figures('en')[name]
  })
