import { hash } from 'node:crypto'
import {
  assertAtHome,
  type DomainRoutes,
  drawToken,
  faults,
  hashToken,
  type Language,
  networkOf,
  openScope,
  tenantOfToken,
  z,
} from '#atrium'
import { holdSession } from '#atrium/auth'
import { projectsSeenBy } from '#atrium/projects'
import { getPolicy } from '#atrium/tenants'
import { calendarFaults, KEPT_DAYS, keptSince } from './calendar.rules.ts'
import { CalendarAddress, CalendarParams, CalendarText } from './calendar.schemas.ts'
import { findReader, listDatedTasks, removeKey, saveKey } from './calendar.store.ts'
import { icalendarOf } from './icalendar.ts'

/** Open tasks in a calendar, and finished ones beside them. A calendar program gets slow with more. */
const MOST = { open: 1000, finished: 500 }
const LONG_AGO = '0001-01-01'
/** Unknown keys that a network may try: programs go on reading a calendar after its key was revoked. */
const UNKNOWN_KEYS = { name: 'calendar', most: 60, windowMs: 60_000 }

/** The calendar of a person's tasks: a key that stands in its address is all that a calendar program needs. */
export const calendarRoutes: DomainRoutes = async (app, { config }) => {
  app.post(
    '/users/me/calendar-key',
    {
      config: { access: 'signed-in', closedToKeys: 'all' },
      schema: {
        operationId: 'createCalendarKey',
        summary: 'Get an address for my calendar',
        description:
          "The address of an iCalendar feed with the caller's tasks that have a due date. Anyone who knows the address can read them, and it is shown only here. A new one replaces the old one.",
        response: { 201: CalendarAddress },
        refuses: [faults.notInTenant],
      },
    },
    async (req) => {
      const key = drawToken(req.scope.tenantId)
      await req.transact(async (tx) => {
        assertAtHome(tx)
        await holdSession(tx)
        saveKey(tx, { userId: tx.actor.id, keyHash: hashToken(key) })
      })
      const host = config.publicUrl ?? `${req.protocol}://${req.host}`
      return { url: `${host.replace(/\/$/, '')}/api/v1/calendar/${key}.ics` }
    },
  )

  app.delete(
    '/users/me/calendar-key',
    {
      config: { access: 'signed-in', closedToKeys: 'all' },
      schema: {
        operationId: 'removeCalendarKey',
        summary: 'Revoke the address of my calendar',
        description: 'The feed is then a 404. Repeating it changes nothing.',
        response: { 200: z.null() },
      },
    },
    (req) => req.transact(async (tx) => removeKey(tx, { userId: tx.actor.id })),
  )

  app.get(
    '/calendar/:key.ics',
    {
      config: { access: 'anyone', secretInPath: true },
      schema: {
        operationId: 'readCalendar',
        summary: 'Read a calendar of tasks',
        description: `An iCalendar feed (RFC 5545) of whole days: the owner's open tasks with a due date, and finished ones for ${KEPT_DAYS} days after they were due. No token is needed. A revoked or unknown key is a 404, and so is one of a person or a tenant that is disabled.`,
        params: CalendarParams,
        takes: ['If-None-Match'],
        sends: ['ETag', 'Cache-Control'],
        refuses: [calendarFaults.notFound, faults.rateLimited],
        response: { 200: { description: 'The calendar', content: { 'text/calendar': { schema: CalendarText } } } },
      },
    },
    async (req, reply) => {
      const found = await findCalendar(req.params.key)
      if (!found) {
        const hasRoom = await app.limits.tally({ limit: UNKNOWN_KEYS, key: networkOf(req.ip) })
        throw hasRoom ? calendarFaults.notFound() : faults.rateLimited([], { 'retry-after': '60' }, UNKNOWN_KEYS.name)
      }
      const { scope, reader, language } = found
      const seen = { ...projectsSeenBy(reader), assigneeId: reader.id }
      const [open, finished] = await Promise.all([
        listDatedTasks(scope, { ...seen, isOpen: true, since: LONG_AGO, most: MOST.open }),
        listDatedTasks(scope, { ...seen, isOpen: false, since: keptSince(new Date()), most: MOST.finished }),
      ])
      const tasks = [...open, ...finished]
      const etag = `"${hash('sha256', JSON.stringify([language, tasks]), 'base64url').slice(0, 22)}"`
      reply.headers({ etag, 'cache-control': 'private, no-cache' })
      // What disappears from it changes no date, so only the tag says whether it is the same.
      if (req.weigh({ etag, modifiedAt: new Date().toISOString() }) === 'not modified') return reply.notModified()
      return reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', 'inline; filename="tasks.ics"')
        .send(await icalendarOf(scope.tenantId, tasks, language))
    },
  )

  async function findCalendar(key: string) {
    const tenantId = tenantOfToken(key)
    if (tenantId === undefined) return undefined
    const tenant = await app.tenancies.findOpen(tenantId)
    if (!tenant) return undefined
    const scope = openScope(app.database, tenant.id)
    const reader = await findReader(scope, { keyHash: hashToken(key) })
    if (!reader) return undefined
    const locale = reader.locale ?? (await getPolicy(scope, { id: scope.tenantId })).locale
    const language: Language = locale === 'zh-CN' ? 'zh-CN' : 'en'
    return { scope, reader, language }
  }
}
