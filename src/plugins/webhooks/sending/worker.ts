import {
  batches,
  type Job,
  type JobHost,
  markInTenant,
  numberAll,
  openLeasedWork,
  openScope,
  reportBacklog,
  type Scope,
  type TenantId,
  type Work,
} from '#atrium'
import { listEventsById, type StoredEvent } from '#plugins/events'
import { findActive, listActive } from '../reading.store.ts'
import { holdDeliveries, type TakenDelivery, takeDeliveries } from '../sending.store.ts'
import { bodiesOf } from '../webhooks.actions.ts'
import { widthOf } from '../webhooks.rules.ts'
import { countDeliveries } from '../webhooks.store.ts'
import { attempt, type Outcome, type Parcel } from './attempt.ts'
import { openConnections } from './connections.ts'
import { makeDeliveries, readUnread } from './read-ahead.ts'
import { type Ended, keysOf, settleAll } from './settle.ts'

/** A tenant that is busy is read this often, so that its events share the work. */
const TOGETHER_MS = 1000
/** Deliveries that are sent together end together, and share a transaction. */
const SETTLE_MS = 10

const DELIVERIES = {
  prefix: 'webhook',
  waits: 'deliveries',
  help: {
    waiting: 'Deliveries of webhooks that are still to be sent',
    oldest: 'How much later than it should the latest of them leaves',
    failed: 'Deliveries of webhooks that failed and are tried again',
    dead: 'Deliveries of webhooks of the last 30 days that were given up',
    attempts: 'Attempts to deliver an event: delivered, refused by the receiver, or not answered',
  },
  count: async (scope: Scope) => (await countDeliveries(scope, {}))!,
} as const

/**
 * Sends the events of all tenants to their webhooks, beside requests. It reads the event log, makes a row for each delivery,
 * and sends those that are due: at least once, and in order for each subject of each webhook. A delivery is marked after its
 * receiver has answered: if the process is killed between the two, it is sent again, with the same `webhook-id`.
 */
export const sendingOfDeliveries: Job = { name: 'the deliveries of webhooks', every: 5000, open }

function open(host: JobHost): Work {
  const { database, config, sealer } = host
  /** how attempts have ended since the start; `refused` if the receiver answered otherwise */
  const tally = { delivered: 0, refused: 0, unanswered: 0 }
  reportBacklog(host, { ...DELIVERIES, tally })
  /** tenants that have an active webhook */
  const known = new Set<TenantId>()
  /** of these, those that may have events which their webhooks have not read */
  const behind = new Set<TenantId>()
  /** tenants whose events were read a moment ago */
  const resting = new Set<TenantId>()
  /** how many deliveries of each webhook are being sent */
  const sending = new Map<string, number>()
  const connections = openConnections()
  const parts = { sealer, anywhere: config.webhookPrivateAddresses, connections }
  const settleSoon = batches(SETTLE_MS, async (tenantId: TenantId, ended: readonly Ended[]) => {
    const waiting = await markInTenant(database, tenantId, 'webhooks', (tx) => settleAll(tx, ended))
    return waiting()
  })

  const work = openLeasedWork<Parcel, Outcome>(database, {
    what: 'deliveries of webhooks',
    most: config.webhookConnections,
    async isDue(scope) {
      const isActive = (await findActive(scope, {})) !== undefined
      if (isActive) learn(scope.tenantId)
      else known.delete(scope.tenantId)
      return isActive
    },
    take,
    async attempt(tenantId, parcel, ending) {
      const key = keyOf(tenantId, parcel.webhookId)
      sending.set(key, (sending.get(key) ?? 0) + 1)
      const outcome = await attempt(parts, tenantId, parcel, ending)
      const left = sending.get(key)! - 1
      if (left > 0) sending.set(key, left)
      else sending.delete(key)
      if (typeof outcome !== 'string')
        tally[outcome.status === 'delivered' ? 'delivered' : outcome.answer ? 'refused' : 'unanswered']++
      return outcome
    },
    async settle(tenantId, parcel, outcome) {
      const waiting = await settleSoon(tenantId, { parcel, outcome })
      if (outcome === 'interrupted') return undefined
      if (outcome !== 'dropped' && outcome.pauseMs !== null) return outcome.pauseMs
      return waiting.has(parcel.webhookId) ? 0 : undefined
    },
    hold: (tenantId, parcels) =>
      markInTenant(database, tenantId, 'webhooks', async (tx) =>
        holdDeliveries(tx, keysOf(parcels.map((parcel) => ({ parcel })))),
      ),
  })

  const stopListening = [
    database.eventSignal.subscribe((tenantId) => {
      if (known.has(tenantId)) readSoon(tenantId)
    }),
    database.announcements.subscribe((announcement, tenantId) => {
      if (announcement !== 'webhooks') return
      learn(tenantId)
      work.giveTurn(tenantId)
    }),
  ]

  /** The first event leaves immediately, those of the next second together. */
  function readSoon(tenantId: TenantId): void {
    behind.add(tenantId)
    if (resting.has(tenantId)) return
    resting.add(tenantId)
    work.giveTurn(tenantId)
    const rested = () => {
      resting.delete(tenantId)
      if (behind.has(tenantId)) readSoon(tenantId)
    }
    setTimeout(rested, TOGETHER_MS).unref()
  }

  function learn(tenantId: TenantId): void {
    known.add(tenantId)
    behind.add(tenantId)
  }

  async function take(tenantId: TenantId, room: number): Promise<Parcel[]> {
    const scope = openScope(database, tenantId)
    const isBehind = behind.delete(tenantId)
    const [webhooks] = await Promise.all([listActive(scope, {}), isBehind && numberAll(database, tenantId)])
    const unread = isBehind ? await readUnread(database, scope, webhooks) : undefined
    const rooms = webhooks.map((webhook) => widthOf(webhook) - (sending.get(keyOf(tenantId, webhook.id)) ?? 0))
    const open = webhooks.flatMap((webhook, at) => (rooms[at]! > 0 ? [{ id: webhook.id, room: rooms[at]! }] : []))
    const wanted = { webhookIds: open.map(({ id }) => id), rooms: open.map((one) => one.room), most: room }
    if (!unread && open.length === 0) return []
    const { made, taken } = await markInTenant(database, tenantId, 'webhooks', async (tx) => ({
      made: unread ? await makeDeliveries(tx, unread) : 0,
      taken: open.length > 0 ? takeDeliveries.atCommit(tx, wanted) : undefined,
    }))
    const rows = (await taken)?.rows ?? []
    if (unread?.hasMore) behind.add(tenantId)
    // Another process may have just ended the delivery that a new one waits for, and has not seen the new one.
    if (unread?.hasMore || made > rows.length) work.giveTurn(tenantId)
    if (rows.length === 0) return []
    const bodies = await bodiesOf(scope, await eventsOf(scope, rows, unread?.events ?? []))
    return rows.map((row) => ({ ...row, body: bodies.get(row.eventId) }))
  }

  return {
    ...work,
    async close() {
      for (const stop of stopListening) stop()
      await work.close()
      connections.close()
    },
  }
}

function keyOf(tenantId: TenantId, webhookId: number): string {
  return `${tenantId}/${webhookId}`
}

/** The events that these deliveries send. @param known some of which are at hand */
async function eventsOf(scope: Scope, rows: readonly TakenDelivery[], known: readonly StoredEvent[]) {
  const wanted = new Set(rows.map(({ eventId }) => eventId))
  const found = known.filter(({ id }) => wanted.has(id))
  for (const { id } of found) wanted.delete(id)
  return wanted.size > 0 ? [...found, ...(await listEventsById(scope, { ids: [...wanted] }))] : found
}
