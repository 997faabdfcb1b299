import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  AnalyticsOverview,
  ConfigEntries,
  DashboardStats,
  DataOverview,
  DaysQuery,
  DemoDepartment,
  Dictionaries,
  ErrorLogQuery,
  ErrorLogs,
  LoginLogs,
  NoticeQuery,
  Notices,
  OnlineUsers,
  OperationLogQuery,
  OperationLogs,
  SearchQuery,
  ServerState,
} from './demo.schemas.ts'
import type { AdminDataSource } from './demo.source.ts'

/** The figures of the admin pages: read-only, the same for every tenant. */
export const demoRoutes: FastifyPluginAsyncZod<{ source: AdminDataSource }> = async (app, { source }) => {
  const signedIn = { access: 'signed-in' } as const

  app.get(
    '/dashboard/stats',
    {
      config: signedIn,
      schema: { operationId: 'getDashboardStats', summary: 'Dashboard figures', response: { 200: DashboardStats } },
    },
    async () => source.dashboard(),
  )
  app.get(
    '/analytics/overview',
    {
      config: { access: 'analytics:view' },
      schema: {
        operationId: 'getAnalyticsOverview',
        summary: 'Analytics',
        querystring: DaysQuery,
        response: { 200: AnalyticsOverview },
      },
    },
    async (req) => source.analytics(req.query.days),
  )
  app.get(
    '/data/overview',
    {
      config: { access: 'data:view' },
      schema: { operationId: 'getDataOverview', summary: 'Data overview', response: { 200: DataOverview } },
    },
    async () => source.data(),
  )
  app.get(
    '/log/login',
    {
      config: signedIn,
      schema: {
        operationId: 'listLoginLogs',
        summary: 'Sign-in log',
        querystring: SearchQuery,
        response: { 200: LoginLogs },
      },
    },
    async ({ query }) => pageOfRows(matching(source.loginLogs(), query.keyword, ['username', 'ip', 'message']), query),
  )
  app.get(
    '/log/operation',
    {
      config: signedIn,
      schema: {
        operationId: 'listOperationLogs',
        summary: 'Operation log',
        querystring: OperationLogQuery,
        response: { 200: OperationLogs },
      },
    },
    async ({ query }) => {
      const found = matching(source.operationLogs(), query.keyword, ['username', 'action', 'description'])
      return pageOfRows(matching(found, query.module, ['module']), query)
    },
  )
  app.get(
    '/log/error',
    {
      config: signedIn,
      schema: {
        operationId: 'listErrorLogs',
        summary: 'Error log',
        querystring: ErrorLogQuery,
        response: { 200: ErrorLogs },
      },
    },
    async ({ query }) => {
      const found = matching(source.errorLogs(), query.keyword, ['type', 'message', 'page'])
      return pageOfRows(matching(found, query.status, ['status']), query)
    },
  )
  app.get(
    '/config/list',
    {
      config: signedIn,
      schema: {
        operationId: 'listConfigEntries',
        summary: 'Settings',
        querystring: SearchQuery,
        response: { 200: ConfigEntries },
      },
    },
    async ({ query }) => pageOfRows(matching(source.configEntries(), query.keyword, ['name', 'key']), query),
  )
  app.get(
    '/dict/list',
    {
      config: signedIn,
      schema: {
        operationId: 'listDictionaries',
        summary: 'Dictionaries',
        querystring: SearchQuery,
        response: { 200: Dictionaries },
      },
    },
    async ({ query }) => pageOfRows(matching(source.dictionaries(), query.keyword, ['name', 'type']), query),
  )
  app.get(
    '/notice/list',
    {
      config: signedIn,
      schema: { operationId: 'listNotices', summary: 'Notices', querystring: NoticeQuery, response: { 200: Notices } },
    },
    async ({ query }) => {
      const found = matching(source.notices(), query.keyword, ['title', 'content'])
      return pageOfRows(matching(found, query.type, ['type']), query)
    },
  )
  app.get(
    '/dept/list',
    {
      config: signedIn,
      schema: {
        operationId: 'listDemoDepartments',
        summary: 'Demo departments',
        response: { 200: z.array(DemoDepartment) },
      },
    },
    async () => source.departments(),
  )
  app.get(
    '/monitor/online',
    {
      config: signedIn,
      schema: { operationId: 'getOnlineUsers', summary: 'Who is online', response: { 200: OnlineUsers } },
    },
    async () => source.onlineUsers(),
  )
  app.get(
    '/monitor/server',
    {
      config: signedIn,
      schema: { operationId: 'getServerState', summary: 'State of the server', response: { 200: ServerState } },
    },
    async () => source.serverState(),
  )
}

/** Rows that hold the keyword, in any case, in one of the fields. */
function matching<Row extends object>(
  rows: readonly Row[],
  keyword: string | undefined,
  fields: readonly (keyof Row)[],
): Row[] {
  const wanted = keyword?.toLowerCase() ?? ''
  return rows.filter((row) => fields.some((field) => String(row[field]).toLowerCase().includes(wanted)))
}

function pageOfRows<Row>(rows: readonly Row[], { page, pageSize }: { page: number; pageSize: number }) {
  const start = (page - 1) * pageSize
  return { items: rows.slice(start, start + pageSize), page, pageSize, total: rows.length }
}
