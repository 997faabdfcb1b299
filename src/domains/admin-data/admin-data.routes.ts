import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Listing, numberedPageRequest, rowsBefore, z } from '#atrium'
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
} from './admin-data.schemas.ts'
import { analyticsOf, figures, searchRows } from './figures.ts'

/** The figures of the admin pages: read-only, the same for every tenant. */
export const adminDataRoutes: FastifyPluginAsyncZod = async (app) => {
  const signedIn = { access: 'signed-in' } as const

  app.get(
    '/dashboard/stats',
    {
      config: signedIn,
      schema: { operationId: 'getDashboardStats', summary: 'Dashboard figures', response: { 200: DashboardStats } },
    },
    async (_req, reply) => figures(reply.inLanguage()).dashboard,
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
    async (req, reply) => analyticsOf(reply.inLanguage(), req.query.days),
  )
  app.get(
    '/data/overview',
    {
      config: { access: 'data:view' },
      schema: { operationId: 'getDataOverview', summary: 'Data overview', response: { 200: DataOverview } },
    },
    async (_req, reply) => figures(reply.inLanguage()).overview,
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
      reply.page(
        pageOfRows(
          searchRows(reply.inLanguage(), 'loginLogs', { keyword: query.keyword, in: ['username', 'ip', 'message'] }),
          query,
        ),
      ),
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
    async ({ query }, reply) =>
      reply.page(
        pageOfRows(
          searchRows(
            reply.inLanguage(),
            'operationLogs',
            { keyword: query.keyword, in: ['username', 'action', 'description'] },
            { keyword: query.module, in: ['module'] },
          ),
          query,
        ),
      ),
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
    async ({ query }, reply) =>
      reply.page(
        pageOfRows(
          searchRows(
            reply.inLanguage(),
            'errorLogs',
            { keyword: query.keyword, in: ['type', 'message', 'page'] },
            { keyword: query.status, in: ['status'] },
          ),
          query,
        ),
      ),
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
      reply.page(
        pageOfRows(
          searchRows(reply.inLanguage(), 'configEntries', { keyword: query.keyword, in: ['name', 'key'] }),
          query,
        ),
      ),
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
      reply.page(
        pageOfRows(
          searchRows(reply.inLanguage(), 'dictionaries', { keyword: query.keyword, in: ['name', 'type'] }),
          query,
        ),
      ),
  )
  app.get(
    '/notice/list',
    {
      config: signedIn,
      schema: { operationId: 'listNotices', summary: 'Notices', querystring: NoticeQuery, response: { 200: Notices } },
    },
    async ({ query }, reply) =>
      reply.page(
        pageOfRows(
          searchRows(
            reply.inLanguage(),
            'notices',
            { keyword: query.keyword, in: ['title', 'content'] },
            { keyword: query.type, in: ['type'] },
          ),
          query,
        ),
      ),
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
    async (_req, reply) => figures(reply.inLanguage()).departments,
  )
  app.get(
    '/monitor/online',
    {
      config: signedIn,
      schema: { operationId: 'getOnlineUsers', summary: 'Who is online', response: { 200: OnlineUsers } },
    },
    async (_req, reply) => figures(reply.inLanguage()).onlineUsers,
  )
  app.get(
    '/monitor/server',
    {
      config: signedIn,
      schema: { operationId: 'getServerState', summary: 'State of the server', response: { 200: ServerState } },
    },
    async (_req, reply) => figures(reply.inLanguage()).serverState,
  )
}

type Window = Parameters<typeof numberedPageRequest>[0]

/** The requested page of these rows. */
function pageOfRows<Row>(all: readonly Row[], query: Window): Listing<Row> {
  const request = numberedPageRequest(query)
  const start = rowsBefore(request)
  const end = start + request.limit
  const next = end < all.length ? { page: request.page! + 1 } : undefined
  return { rows: all.slice(start, end), total: all.length, next, request, cut: false }
}
