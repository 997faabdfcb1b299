import type {
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
} from './demo.schemas.ts'

/**
 * Where the admin pages get their figures. The one source today is `constants.ts`; a database or a monitoring platform
 * can take its place without a change of type.
 */
export interface AdminDataSource {
  dashboard(): DashboardStats
  analytics(days: number): AnalyticsOverview
  data(): DataOverview
  loginLogs(): readonly LoginLog[]
  operationLogs(): readonly OperationLog[]
  errorLogs(): readonly ErrorLog[]
  configEntries(): readonly ConfigEntry[]
  dictionaries(): readonly Dictionary[]
  notices(): readonly Notice[]
  departments(): DemoDepartment[]
  onlineUsers(): OnlineUsers
  serverState(): ServerState
}
