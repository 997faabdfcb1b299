import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type FastifyRequest, fail, faults, IdParams, notFound, pageRequestOf, type Tx, z } from '#atrium'
import { openLive } from './live.ts'
import { told } from './notifications.rules.ts'
import { EventText, NotificationQuery, NotificationView, StreamQuery, UnreadCount } from './notifications.schemas.ts'
import { countUnread, listNotifications, markAllRead, markRead } from './notifications.store.ts'

const notificationNotFound = notFound('Notification')

/** Each person's own inbox. */
export const notificationRoutes: FastifyPluginAsyncZod = async (app) => {
  const live = openLive(app.database)
  app.addHook('onClose', async () => live.stop())

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

  app.get(
    '/notifications/stream',
    {
      config: { access: 'signed-in', closedToKeys: 'narrowed' },
      exposeHeadRoute: false,
      schema: {
        operationId: 'streamNotifications',
        summary: 'Listen to my notifications',
        description: LISTENING,
        querystring: StreamQuery,
        takes: ['Last-Event-ID'],
        response: {
          200: { description: 'Server-sent events', content: { 'text/event-stream': { schema: EventText } } },
        },
      },
    },
    async (req, reply) => {
      const beginning = await live.begin(req.scope, req.user.id, req.language, lastEventIdOf(req))
      live.follow(beginning, app.streams.open(req, reply))
      return reply
    },
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

const LISTENING = `An event stream that does not end. The first event is \`unread-count\`. Then each new notification is sent as
\`notification\`, as the list shows it, followed by the new \`unread-count\`. Send the id of the last event as
\`Last-Event-ID\`, and everything since then is sent again, up to a thousand. \`reset\` means that there was more, and that the
list has to be loaded.

Each notification is sent at least once: it may be repeated if the connection breaks, so recognise it by its id. Its language is the
one with which the stream was opened. Open the stream first and then load the list, so that nothing is missed in between. The token
goes into the Authorization header, as everywhere; in a browser, read the stream with fetch.`

/** The id to resume after, from the header or else from the query. @throws VALIDATION_FAILED */
function lastEventIdOf(req: FastifyRequest<{ Querystring: z.output<typeof StreamQuery> }>): number | undefined {
  const header = req.headers['last-event-id']
  if (header === undefined) return req.query.lastEventId
  const parsed = StreamQuery.safeParse({ lastEventId: header })
  if (!parsed.success)
    throw faults.validation([{ path: 'headers.last-event-id', message: 'must be the id of an event' }])
  return parsed.data.lastEventId ?? req.query.lastEventId
}
