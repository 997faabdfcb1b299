import { type DomainRoutes, EventView, type FastifyRequest, z } from '#atrium'
import { eventView } from './event-view.ts'
import { EventQuery } from './events.schemas.ts'
import type { StoredEvent } from './events.store.ts'
import { awaitEvents, readEvents } from './read.ts'

/** The event log of a tenant. */
export const eventRoutes: DomainRoutes = async (app) => {
  app.get(
    '/events',
    {
      config: { access: 'event:view' },
      schema: {
        operationId: 'listEvents',
        summary: 'Read the event log',
        description: [
          'Oldest first, of the whole tenant: also of projects that the caller is no member of. `webhooks` of this document describes each type of event.',
          'The log is complete: once an id was sent, no event with a lower id appears. So read on with `after` and the last id.',
          'With `wait`, the response comes as soon as there is an event, or empty when the time is over. Such a request counts as a live stream.',
        ].join('\n\n'),
        querystring: EventQuery,
        response: { 200: z.array(EventView) },
        sends: ['Link', 'X-Truncated'],
      },
    },
    async (req, reply) => {
      const { after = 0, types, limit, wait } = req.query
      const wanted = { after, types, most: limit }
      const { database } = app
      if (wait === 0) return reply.list(await shown(req, await readEvents(database, req.scope, wanted)))
      const held = app.streams.hold(req, reply)
      try {
        const until = performance.now() + wait * 1000
        const page = await awaitEvents(database, req.scope, wanted, until, held)
        await req.assertStillAllowed()
        return reply.list(await shown(req, page))
      } finally {
        held.end('it was answered')
      }
    },
  )
}

async function shown<L extends { rows: StoredEvent[] }>(req: FastifyRequest, listing: L) {
  const names = await req.namesOf(listing.rows.flatMap(({ actorId }) => actorId ?? []))
  return { ...listing, rows: listing.rows.map((event) => eventView(event, names)) }
}
