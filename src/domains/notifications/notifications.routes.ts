import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { fail, IdParams, notFound, pageRequestOf, type Tx, z } from '#atrium'
import { told } from './notifications.rules.ts'
import { NotificationQuery, NotificationView, UnreadCount } from './notifications.schemas.ts'
import { countUnread, listNotifications, markAllRead, markRead } from './notifications.store.ts'

const notificationNotFound = notFound('Notification')

/** Each person's own inbox. */
export const notificationRoutes: FastifyPluginAsyncZod = async (app) => {
  /** Updates the person's other tabs. */
  function ringAfter(tx: Tx) {
    tx.afterCommit('signal what was read', () => app.database.inboxSignal.publish(tx.tenantId, [tx.actor.id]))
  }

  app.get(
    '/notifications',
    {
      config: { access: 'signed-in', closedToKeys: 'narrowed' },
      schema: {
        operationId: 'listNotifications',
        summary: 'List my notifications',
        description: "Newest first, in the reader's language.",
        querystring: NotificationQuery,
        response: { 200: z.array(NotificationView) },
      },
    },
    async (req, reply) => {
      const { read } = req.query
      const filter = {
        receiverId: req.user.id,
        ...(read === true && { onlyRead: true as const }),
        ...(read === false && { onlyUnread: true as const }),
      }
      const { rows, ...found } = await listNotifications(req.scope, filter, pageRequestOf(req.query))
      const language = reply.inLanguage()
      return reply.list({ ...found, rows: rows.map((row) => told(row, language)) })
    },
  )

  app.get(
    '/notifications/unread-count',
    {
      config: { access: 'signed-in', closedToKeys: 'narrowed' },
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
        description: 'Repeating it changes nothing.',
        params: IdParams,
        response: { 200: NotificationView },
      },
    },
    async (req, reply) => {
      const row = await req.transact(async (tx) => {
        const { rows } = await markRead(tx, { id: req.params.id, receiverId: tx.actor.id })
        ringAfter(tx)
        return rows[0] ?? fail(notificationNotFound())
      })
      return told(row, reply.inLanguage())
    },
  )

  app.put(
    '/notifications/read-all',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'markAllNotificationsRead',
        summary: 'Mark all my notifications as read',
        description: 'Those that existed when the request began.',
        response: { 200: z.null() },
      },
    },
    async (req) => {
      await req.transact(async (tx) => {
        markAllRead(tx, { receiverId: tx.actor.id })
        ringAfter(tx)
      })
      return null
    },
  )
}
