import { exemplify, LANGUAGES, type Language, texts, z } from '#atrium'
import {
  AnalyticsOverview,
  ConfigEntry,
  DashboardStats,
  DataOverview,
  DemoDepartment,
  Dictionary,
  ErrorLog,
  LoginLog,
  Notice,
  OnlineUsers,
  OperationLog,
  ServerState,
} from './admin-data.schemas.ts'

const Data = z.object({
  dashboard: DashboardStats,
  analytics: AnalyticsOverview,
  overview: DataOverview,
  loginLogs: z.array(LoginLog),
  operationLogs: z.array(OperationLog),
  errorLogs: z.array(ErrorLog),
  configEntries: z.array(ConfigEntry),
  dictionaries: z.array(Dictionary),
  notices: z.array(Notice),
  departments: z.array(DemoDepartment),
  onlineUsers: OnlineUsers,
  serverState: ServerState,
})
type Data = z.output<typeof Data>

/** The figures of the admin pages, the same for every tenant, call and machine. */
export const figures = texts(new URL('./texts/', import.meta.url), Data)

/** The analytics of the last days, with their totals. */
export function analyticsOf(language: Language, days: number): AnalyticsOverview {
  const { stats, trend, topPages } = figures(language).analytics
  const lately = trend.slice(-days)
  const counted = ['visits', 'users', 'orders', 'revenue'] as const
  const totals = counted.map((figure) => lately.reduce((sum, day) => sum + day[figure], 0))
  return { stats: stats.map((stat, at) => ({ ...stat, value: totals[at]! })), trend: lately, topPages }
}

type Table = 'loginLogs' | 'operationLogs' | 'errorLogs' | 'configEntries' | 'dictionaries' | 'notices'
type Row<T extends Table> = Data[T][number]
interface Filter<T extends Table> {
  keyword: string | undefined
  in: readonly (keyof Row<T>)[]
}

/** The rows that match all filters: one of the fields contains the keyword, in any case and any language. */
export function searchRows<T extends Table>(language: Language, table: T, ...filters: Filter<T>[]): Row<T>[] {
  const versions = LANGUAGES.map((each): Row<T>[] => figures(each)[table])
  const has = (row: Row<T>, { keyword = '', in: fields }: Filter<T>) =>
    fields.some((field) => String(row[field]).toLowerCase().includes(keyword.toLowerCase()))
  const rows: Row<T>[] = figures(language)[table]
  return rows.filter((_, at) => filters.every((filter) => versions.some((version) => has(version[at]!, filter))))
}

exemplify(DashboardStats, () => figures('en').dashboard)
exemplify(AnalyticsOverview, () => analyticsOf('en', 1))
exemplify(DataOverview, () => figures('en').overview)
exemplify(LoginLog, () => figures('en').loginLogs[0])
exemplify(OperationLog, () => figures('en').operationLogs[0])
exemplify(ErrorLog, () => figures('en').errorLogs[0])
exemplify(ConfigEntry, () => figures('en').configEntries[0])
exemplify(Dictionary, () => figures('en').dictionaries[0])
exemplify(Notice, () => figures('en').notices[0])
exemplify(DemoDepartment, () => figures('en').departments[0])
exemplify(OnlineUsers, () => figures('en').onlineUsers)
exemplify(ServerState, () => figures('en').serverState)
