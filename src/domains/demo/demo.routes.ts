import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type FastifyReply, z } from '#atrium'
import { inLanguage, SAID_STATUS } from './chinese.ts'
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
    async (_req, reply) => inLanguage(source.dashboard(), reply.inLanguage()),
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
    async (req, reply) => inLanguage(source.analytics(req.query.days), reply.inLanguage()),
  )
  app.get(
    '/data/overview',
    {
      config: { access: 'data:view' },
      schema: { operationId: 'getDataOverview', summary: 'Data overview', response: { 200: DataOverview } },
    },
    async (_req, reply) => inLanguage(source.data(), reply.inLanguage(), SAID_STATUS),
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
    async ({ query }, reply) =>
      pageOfRows(reply, matching(source.loginLogs(), query.keyword, ['username', 'ip', 'message']), query),
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
    async ({ query }, reply) => {
      const found = matching(source.operationLogs(), query.keyword, ['username', 'action', 'description'])
      return pageOfRows(reply, matching(found, query.module, ['module']), query)
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
    async ({ query }, reply) => {
      const found = matching(source.errorLogs(), query.keyword, ['type', 'message', 'page'])
      return pageOfRows(reply, matching(found, query.status, ['status']), query)
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
    async ({ query }, reply) =>
      pageOfRows(reply, matching(source.configEntries(), query.keyword, ['name', 'key']), query),
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
    async ({ query }, reply) =>
      pageOfRows(reply, matching(source.dictionaries(), query.keyword, ['name', 'type']), query),
  )
  app.get(
    '/notice/list',
    {
      config: signedIn,
      schema: { operationId: 'listNotices', summary: 'Notices', querystring: NoticeQuery, response: { 200: Notices } },
    },
    async ({ query }, reply) => {
      const found = matching(source.notices(), query.keyword, ['title', 'content'])
      return pageOfRows(reply, matching(found, query.type, ['type']), query)
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
    async (_req, reply) => inLanguage(source.departments(), reply.inLanguage()),
  )
  app.get(
    '/monitor/online',
    {
      config: signedIn,
      schema: { operationId: 'getOnlineUsers', summary: 'Who is online', response: { 200: OnlineUsers } },
    },
    async (_req, reply) => inLanguage(source.onlineUsers(), reply.inLanguage()),
  )
  app.get(
    '/monitor/server',
    {
      config: signedIn,
      schema: { operationId: 'getServerState', summary: 'State of the server', response: { 200: ServerState } },
    },
    async (_req, reply) => inLanguage(source.serverState(), reply.inLanguage()),
  )
}

/** Rows that hold the keyword, in any case and in either language, in one of the fields. */
function matching<Row extends object>(
  rows: readonly Row[],
  keyword: string | undefined,
  fields: readonly (keyof Row)[],
): Row[] {
  const wanted = keyword?.toLowerCase() ?? ''
  const holds = (row: Row) => fields.some((field) => String(row[field]).toLowerCase().includes(wanted))
  return rows.filter((row) => holds(row) || holds(inLanguage(row, 'zh-CN')))
}

function pageOfRows<Row>(
  reply: FastifyReply,
  rows: readonly Row[],
  { page, pageSize }: { page: number; pageSize: number },
) {
  const start = (page - 1) * pageSize
  const items = rows.slice(start, start + pageSize)
  return { items: inLanguage(items, reply.inLanguage()), page, pageSize, total: rows.length }
}
