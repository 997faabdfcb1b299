import { type DomainRoutes, type FastifyRequest, faults, type z } from '#atrium'
import { openEventStream } from './event-stream.ts'
import { beginStream, openLive } from './inboxes.ts'
import { EventText, StreamQuery } from './live.schemas.ts'

/** Each person's own notifications, as they come. */
export const liveRoutes: DomainRoutes = async (app, { config }) => {
  const live = openLive(app.database)
  app.addHook('onClose', async () => live.stop())

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
      const beginning = await beginStream(req.scope, req.user.id, req.language, lastEventIdOf(req))
      live.follow(
        beginning,
        app.streams.open(req, () => openEventStream(reply, config.streamHeartbeat)),
      )
      return reply
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
