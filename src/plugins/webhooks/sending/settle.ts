import type { System, Tx } from '#atrium'
import { listAdministratorIds } from '#atrium/roles'
import {
  bringForwardLater,
  dropDeliveries,
  putOffLater,
  releaseDeliveries,
  report,
  saveHealth,
  settleDelivery,
} from '../sending.store.ts'
import { hostOf } from '../webhooks.rules.ts'
import type { Attempted, Outcome, Parcel } from './attempt.ts'

type Settled = ReturnType<typeof settleDelivery>

export interface Ended<O extends Outcome = Outcome> {
  parcel: Parcel
  outcome: O
}

/**
 * Writes down how attempts ended, in the order in which they did.
 * @returns what to call after the commit: it says to which webhooks another delivery may be due
 */
export async function settleAll(tx: Tx<System>, all: readonly Ended[]): Promise<() => Promise<Set<number>>> {
  const attempted = all.filter(isAttempted)
  const settled = attempted.length > 0 ? await settleAttempts(tx, attempted) : []
  const dropped = all.filter(({ outcome }) => outcome === 'dropped')
  if (dropped.length > 0) dropDeliveries(tx, keysOf(dropped))
  const interrupted = all.filter(({ outcome }) => outcome === 'interrupted')
  if (interrupted.length > 0) releaseDeliveries(tx, keysOf(interrupted))
  return async () => {
    const rows = (await rowsOf(settled)).filter(({ hasNext }) => hasNext)
    return new Set([...rows, ...dropped.map(({ parcel }) => parcel)].map(({ webhookId }) => webhookId))
  }
}

async function rowsOf(settled: readonly Settled[]) {
  return (await Promise.all(settled)).flatMap(({ rows }) => rows)
}

async function settleAttempts(tx: Tx<System>, all: readonly Ended<Attempted>[]): Promise<Settled[]> {
  // Webhooks come before their deliveries, as everywhere.
  saveHealth(tx, healthOf(all))
  const mayNotify = all.some(({ outcome }) => outcome.status === 'dead')
  const settle = mayNotify ? settleDelivery : settleDelivery.atCommit
  const inOrder = all.map(settlingOf).sort((a, b) => a.id - b.id)
  const settled = inOrder.map((each) => settle(tx, each))
  const failed = all.filter(({ outcome }) => outcome.status === 'failed')
  if (failed.length > 0) putOffLater(tx, idsOf(failed))
  const endedAfterFailures = all.filter(({ parcel, outcome }) => outcome.status !== 'failed' && parcel.attempts > 0)
  if (endedAfterFailures.length > 0) bringForwardLater(tx, idsOf(endedAfterFailures))
  if (mayNotify) {
    const dead = (await rowsOf(settled)).filter(({ status }) => status === 'dead').map(({ webhookId }) => webhookId)
    if (dead.length > 0) await notifyMakers(tx, [...new Set(dead)])
  }
  return settled
}

/** Notifies the maker of a webhook, or the administrators if they have gone, were disabled, or are from outside the tenant. */
async function notifyMakers(tx: Tx<System>, ids: readonly number[]): Promise<void> {
  const [{ rows }, administrators] = await Promise.all([report(tx, { ids }), listAdministratorIds(tx, {})])
  for (const { id, url, maker } of rows)
    tx.notify({
      type: 'WEBHOOK_GAVE_UP',
      facts: { host: hostOf(url) },
      resourceType: 'webhook',
      resourceId: id,
      receivers: maker === null ? administrators.map((each) => each.id) : [maker],
    })
}

/** For each webhook, whether something was delivered, and how many attempts have failed since then. */
export function healthOf(all: readonly Ended<Attempted>[]) {
  const byWebhook = new Map<number, { delivered: boolean; failed: number }>()
  for (const { parcel, outcome } of all) {
    const before = byWebhook.get(parcel.webhookId) ?? { delivered: false, failed: 0 }
    const after =
      outcome.status === 'delivered' ? { delivered: true, failed: 0 } : { ...before, failed: before.failed + 1 }
    byWebhook.set(parcel.webhookId, after)
  }
  const health = [...byWebhook].sort(([a], [b]) => a - b)
  return {
    webhookIds: health.map(([id]) => id),
    delivered: health.map(([, { delivered }]) => delivered),
    failed: health.map(([, { failed }]) => failed),
  }
}

function settlingOf({ parcel, outcome }: Ended<Attempted>) {
  const { status, pauseMs, durationMs, error, answer } = outcome
  return {
    ...{ id: parcel.id, taken: parcel.taken, status, pauseMs, durationMs },
    responseStatus: answer?.status ?? null,
    responseBody: answer?.body ?? null,
    lastError: error,
  }
}

/** Which deliveries these are, as columns. */
export function keysOf(all: readonly { parcel: Parcel }[]) {
  return { ...idsOf(all), takens: all.map(({ parcel }) => parcel.taken) }
}

function idsOf(all: readonly { parcel: Parcel }[]) {
  return { ids: all.map(({ parcel }) => parcel.id) }
}

function isAttempted(ended: Ended): ended is Ended<Attempted> {
  return typeof ended.outcome === 'object'
}
