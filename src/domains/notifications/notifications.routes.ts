import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fail, notFound } from '../../kernel/fault.ts'
import { windowOf } from '../../kernel/page.ts'
import { IdParams } from '../../kernel/zod.ts'
import { NotificationQuery, NotificationView, UnreadCount } from './notifications.schemas.ts'
import { countUnread, listNotifications, markAllRead, markRead } from './notifications.store.ts'

const notificationNotFound = notFound('Notification')

/** Everyone's own inbox, and nobody else's. */
export const notificationRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/notifications',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listNotifications',
        summary: 'List my notifications',
        description: 'Newest first.',
        querystring: NotificationQuery,
        response: { 200: z.array(NotificationView) },
      },
    },
    async (req, reply) => {
      const { read } = req.query
      const filter = { receiverId: req.user.id, ...(read !== undefined && { read }) }
      return reply.list(await listNotifications(req.scope, filter, windowOf(req.query))) as z.input<
        typeof NotificationView
      >[]
    },
  )

  app.get(
    '/notifications/unread-count',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'countUnreadNotifications',
        summary: 'Count my unread notifications',
        response: { 200: UnreadCount },
      },
    },
    async (req) => (await countUnread(req.scope, { receiverId: req.user.id }))!,
  )

  app.put(
    '/notifications/:id/read',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'markNotificationRead',
        summary: 'Mark a notification as read',
        description: 'Twice is the same as once.',
        params: IdParams,
        response: { 200: NotificationView },
      },
    },
    (req) =>
      req.transact(async (tx) => {
        const { rows } = await markRead(tx, { id: req.params.id, receiverId: tx.actor.id })
        return (rows[0] ?? fail(notificationNotFound())) as z.input<typeof NotificationView>
      }),
  )

  app.put(
    '/notifications/read-all',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'markAllNotificationsRead',
        summary: 'Mark all my notifications as read',
        description: 'Those that were there when the request began.',
        response: { 200: z.null() },
      },
    },
    async (req) => {
      await req.transact(async (tx) => markAllRead(tx, { receiverId: tx.actor.id }))
      return null
    },
  )
}
